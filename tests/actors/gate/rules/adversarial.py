"""Texts that are made to keep a parser or matcher busy: what begins, what is said again and again, and what ends it."""

from dataclasses import dataclass

LONGEST = 32_000
"""Characters; what is longer the gate does not even parse."""
TABLE = r"""
sed '/\s/w' f ¦ sed ' ¦   ¦ w' f
sed '/' ¦ sed ' ¦ / ¦ ' f
sed ';' ¦ sed ' ¦ ;  ¦ w' f
sed s ¦ sed 's/ ¦ \\ ¦ ' f
sed 1, ¦ sed ' ¦ 1, ¦ w' f
sed 1 ¦ sed ' ¦ 1 ¦ w' f
sed p ¦ sed ' ¦ p  ¦ w' f
sed a ¦ sed ' ¦ a x⏎ ¦ w' f
sum ¦ echo $(( ¦ 1+ ¦ 1))
brackets ¦ echo $(( ¦ ( ¦ 1))
tests ¦ [[ a ¦  && a ¦  ]]
not ¦ [[  ¦ !  ¦ a ]]
command ¦  ¦ command  ¦ ls
time ¦  ¦ time  ¦ ls
env -S ¦ env  ¦ -S ¦ x
env A=1 ¦ env  ¦ A=1  ¦ ls
A=1 ¦  ¦ A=1  ¦ ls
A=1; ¦  ¦ A=1; ¦ ls
not a command ¦  ¦ ) ¦
not a command and é ¦  ¦ é)))) ¦
{ ¦ echo  ¦ { ¦
{a, ¦ echo  ¦ {a, ¦
{a,b} ¦ echo  ¦ {a,b} ¦
{a} ¦ echo  ¦ {a} ¦
runners ¦  ¦ npx a b c d e f g a b c d e f g a b c d e f g a b c d e f g a b c d e f g; ¦ ls
a runner's texts ¦ npx  ¦ 'ls ls'  ¦
npx ¦  ¦ npx  ¦ ls
sudo ¦  ¦ sudo  ¦ ls
xargs ¦  ¦ xargs  ¦ ls
find ¦ find .  ¦ -exec ls \;  ¦
cat ¦ cat  ¦ a  ¦
deep ¦ cat  ¦ a/ ¦ b
above ¦ cat  ¦ ../ ¦ b
absolute ¦ cat  ¦ /e/f  ¦
mv ¦ mv  ¦ a  ¦
ls; ¦  ¦ ls a; ¦
pipes ¦  ¦ ls| ¦ ls
&& ¦  ¦ ls&& ¦ ls
substitutions ¦ echo  ¦ $(ls) ¦
in one another ¦  ¦ $( ¦ ls
backticks ¦ echo  ¦ `ls` ¦
quoted ¦ echo ' ¦ a ¦ '
escaped ¦ echo " ¦ \$ ¦ "
backslashes ¦ echo " ¦ \\ ¦ "
variables ¦ echo  ¦ $a ¦
comments ¦  ¦ # a⏎ ¦
here-document ¦ cat <<E⏎ ¦ $x  ¦ ⏎E
here-documents ¦  ¦ cat <<E⏎E⏎ ¦
redirections ¦ cat  ¦ >a  ¦
functions ¦  ¦ f(){  ¦ ls
loops ¦  ¦ for x in a; do cd a;  ¦ ls
cd ¦  ¦ cd a; ¦
eval ¦  ¦ eval  ¦ ls
sh -c ¦  ¦ sh -c  ¦ ls
a shell's text ¦ sh -c ' ¦ ls; ¦ '
case ¦ case a in  ¦ a) ls;;  ¦ esac
groups ¦  ¦ {  ¦ ls
((1)) ¦  ¦ ((1)); ¦
array ¦ a=( ¦ [1]=b  ¦ )
defaults ¦ echo  ¦ ${a:- ¦ x
declare ¦  ¦ declare -i a=1; ¦
read ¦  ¦ read a; ¦
numbered ¦ echo $' ¦ \x41 ¦ '
awk ¦ awk ' ¦ print  ¦ ' f
awk NR ¦ awk 'NR ¦   ¦ ' f
sql ¦ psql -c " ¦ drop  ¦ "
sql delete ¦ psql -c "delete from  ¦ a. ¦ "
git -c ¦ git  ¦ -c a=b  ¦ status
modes ¦ chmod + ¦ r ¦ ! f
tar ¦ tar  ¦ t ¦ f
option ¦ foo - ¦ f ¦ a
options ¦ foo  ¦ -fa/b  ¦
a=a= ¦ foo  ¦ a= ¦ /x
files ¦ foo  ¦ a/b  ¦
letters ¦ ls  ¦ é  ¦
symbols ¦ ls  ¦ ☃ ¦
quotes ¦ ls  ¦ '' ¦
* ¦ ls  ¦ * ¦
*/ ¦ ls  ¦ */ ¦
homes ¦ ls  ¦ ~root  ¦
this machine ¦ curl  ¦ 127.0.0.1: ¦
jq ¦ jq '. ¦ |. ¦ ' f
"""
"""Name, beginning, what is repeated, end; ⏎ is a line's end."""


@dataclass(frozen=True)
class Long:
    name: str
    begins: str
    unit: str
    ends: str

    def text(self, size: int = LONGEST) -> str:
        """In about so many characters."""
        return self.begins + self.unit * max(1, size // len(self.unit)) + self.ends


def long_ones() -> list[Long]:
    found = []
    for line in TABLE.strip("\n").split("\n"):
        name, begins, unit, ends = (field.replace("⏎", "\n") for field in f"{line} ".split(" ¦ ", 3))
        found.append(Long(name, begins, unit, ends.removesuffix(" ")))
    return found
