# An internet of two machines in namespaces of our own: on each a web server shows FOLDER, on the other one,
# 93.184.215.14, at port 80, and here, 93.184.215.20, at port 8080.
# usage: unshare --user --map-root-user --net --mount sh internet.sh PYTHON SERVER FOLDER COMMAND...
set -e
python=$1 server=$2 folder=$3
shift 3
mkfifo "$folder.ready"
unshare --net sh -c "read moved < $folder.ready
    ip address add 93.184.215.14/24 dev there && ip link set there up
    exec $python -u $server 80 $folder" > "$folder.log" 2>&1 &
there=$!
until [ "$(readlink /proc/$there/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.1; done
ip link add here type veth peer name there netns $there
ip address add 93.184.215.20/24 dev here
ip link set here up
ip link set lo up
$python -u "$server" 8080 "$folder" > "$folder.own" 2>&1 &
trap "kill $there $!; wait" EXIT
echo moved > "$folder.ready"
until grep -q Serving "$folder.log" && grep -q Serving "$folder.own"; do sleep 0.1; done
printf '127.0.0.1 localhost\n93.184.215.14 docs.example.com\n127.0.0.1 mine.example.com\n93.184.215.20 own.example.com\n' > "$folder.hosts"
mount --bind "$folder.hosts" /etc/hosts
"$@"
