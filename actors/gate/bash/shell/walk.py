"""Goes through a command line's tree as a shell would, and collects the parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from actors.gate.bash.files.file_tests import of_test, tested_in
from actors.gate.bash.files.paths import looking_like_files, named
from actors.gate.bash.files.placed_files import placed
from actors.gate.bash.language.parts import HARMLESS, Part, joined
from actors.gate.bash.language.surroundings import Around, Stdin, Steps
from actors.gate.bash.language.syntax import TOO_LONG, descend, parse, problem, text, too_much, unwieldy
from actors.gate.bash.language.words import HOLE, Known, Unclear, Word, words
from actors.gate.bash.programs import simple_command
from actors.gate.bash.programs.environment import leads, on_assignments
from actors.gate.bash.programs.interpreters import feeds
from actors.gate.bash.shell import builtins
from actors.gate.bash.shell.assignments import misused
from actors.gate.bash.shell.evaluation import doubt, evaluated, has_quoted_code
from actors.gate.bash.shell.redirects import KINDS, Redirected, redirected
from actors.gate.bash.shell.scope import Scope, Survey, survey

if TYPE_CHECKING:
    from tree_sitter import Node

BRANCHES = frozenset({"if_statement", "elif_clause", "else_clause", "case_statement", "case_item"})
LOOPS = frozenset({"for_statement", "c_style_for_statement", "while_statement"})
SEQUENCES = frozenset({"program", "compound_statement", "do_group", "negated_command"})
COPIES_ITSELF = "it starts itself again without end"
CHARACTERS_A_STEP = 16
"""Of what is made of known words, and of a command line in a command line, which is parsed again."""
REDIRECTING = frozenset({"<", ">", "<<", ">>", "<=", ">="})
SUBSTITUTES = "without a sandbox it counts that it puts in the output of another command"


class Flow(msgspec.Struct, frozen=True):
    """What a statement gets from around it."""

    stdin: Stdin = Stdin()
    redirects: tuple[Node, ...] = ()


class Walk:
    def __init__(self, sandboxed: bool, steps: Steps) -> None:
        self._sandboxed = sandboxed
        self._steps = steps
        self._depth = 0
        self.has_quoted_code = False
        """Of the whole line."""

    def line(self, command: str, scope: Scope | None = None, stdin: Stdin | None = None) -> list[Part]:
        """A whole text; what cannot be relied on is one part, beside what is dangerous in it."""
        why = too_much(command)
        if why or self._depth > simple_command.DEEPEST:
            return [Part(command, "execute", unsure=why or "too many commands run one another")]
        if self._depth:
            self._steps.take(len(command) // CHARACTERS_A_STEP)
        root = parse(command)
        if root is None:
            return [Part(command, "execute", unsure=TOO_LONG)]
        if why := unwieldy(root):
            return [Part(command, "execute", unsure=why)]
        self.has_quoted_code = self.has_quoted_code or has_quoted_code(root)
        inside = Scope(survey(root)) if scope is None else replace(scope, survey=Survey(), certain=False)
        self._depth += 1
        parts = self.statements(root.children, inside, Flow(stdin or Stdin()))
        parts += evaluated(root, inside.survey)
        self._depth -= 1
        if scope is not None:
            scope.bases, scope.after, scope.led = inside.bases, inside.after, inside.led
            scope.variables = {}
        why = problem(root)
        if why:
            whole = Part(command.strip(), "execute", unsure=why)
            return [whole, *(part for part in parts if part.danger or part.denied or part.deletes or part.loses)]
        return parts

    def statements(self, nodes: Sequence[Node], scope: Scope, flow: Flow) -> list[Part]:
        parts: list[Part] = []
        for at, node in enumerate(nodes):
            behind = at + 1 < len(nodes) and nodes[at + 1].type == "&"
            parts += self.statement(node, scope.copy() if behind else scope, flow)
        return parts

    def statement(self, node: Node, scope: Scope, flow: Flow) -> list[Part]:
        self._steps.take()
        if not node.is_named or node.type in ("comment", "heredoc_start", "heredoc_end"):
            return []
        try:
            return self._statement(node, scope, flow)
        except Unclear as unclear:
            return [Part(text(node), "execute", unsure=str(unclear))]

    def _statement(self, node: Node, scope: Scope, flow: Flow) -> list[Part]:
        kind = node.type
        if kind == "command":
            timed = _timed(node)
            return self.statement(timed, scope, flow) if timed else self._command(node, scope, flow)
        if kind in ("redirected_statement", "pipeline", "list"):
            return self._joining(node, scope, flow)
        if node.children and node.children[0].type == "((":
            return [*self._alone(flow, scope), Part(text(node), "read"), *self._inside(node, scope)]
        if kind in SEQUENCES:
            return self._alone(flow, scope) + self.statements(node.children, scope, Flow(_inherited(flow)))
        if kind == "subshell":
            return self._alone(flow, scope) + self.statements(node.children, scope.copy(), Flow(_inherited(flow)))
        if kind in BRANCHES or kind in LOOPS:
            return self._alone(flow, scope) + self._maybe(node, scope, _inherited(flow))
        if kind == "function_definition":
            return self._function(node, scope, flow)
        return self._alone(flow, scope) + self._other(node, scope)

    def _joining(self, node: Node, scope: Scope, flow: Flow) -> list[Part]:
        match node.type:
            case "list":
                return self._list(node, scope, flow)
            case "pipeline":
                return self._pipeline(node.children, scope, flow)
            case _:
                return self._redirected(node, scope, flow)

    def _redirected(self, node: Node, scope: Scope, flow: Flow) -> list[Part]:
        body = [child for child in node.children if child.type not in KINDS]
        redirects = tuple(child for child in node.children if child.type in KINDS)
        inside = Flow(flow.stdin, (*redirects, *flow.redirects))
        return self.statement(body[0], scope, inside) if body else self._alone(inside, scope)

    def _other(self, node: Node, scope: Scope) -> list[Part]:
        match node.type:
            case "variable_assignment" | "variable_assignments" | "declaration_command":
                return self._assignments(node, scope)
            case "test_command":
                if node.children[0].type == "[" and any(child.type in REDIRECTING for child in of_test(node)):
                    raise Unclear("in single brackets it may redirect")
                return [self._test(node, scope), *self._inside(node, scope)]
            case "unset_command":
                return self._unset(node, scope)
            case _:
                return self._unexpected(node)

    def _test(self, node: Node, scope: Scope) -> Part:
        files = named(tested_in(of_test(node), self._known(scope, [])), ())
        return placed(Part(text(node), "read"), files, self._around(scope, Stdin()))

    def _unset(self, node: Node, scope: Scope) -> list[Part]:
        emitted: list[Part] = []
        given = tuple(words(list(node.children[1:]), self._known(scope, emitted)))
        scope.forget(given)
        why = misused("unset", given, scope.survey)
        part = doubt(why, text(node)) if why else HARMLESS
        return [*emitted, replace(part, text=text(node))]

    def _unexpected(self, node: Node) -> list[Part]:
        if any(child.type in ("command", "command_substitution", "pipeline") for child, _ in descend(node)):
            raise Unclear(f"it has a {node.type.replace('_', ' ')} in an odd place")
        return []

    def _list(self, node: Node, scope: Scope, flow: Flow) -> list[Part]:
        """`a && b`: b is run where a ended, if a did not fail."""
        chain: list[Node] = []
        while node.type == "list":
            chain = [*node.children[1:], *chain]
            node = node.children[0]
        parts = self.statement(node, scope, Flow(flow.stdin))
        for operator, right in zip(chain[::2], chain[1::2], strict=False):
            before, certain = scope.bases, scope.certain
            scope.certain = False
            if operator.type == "&&":
                scope.bases = scope.after
            last = right is chain[-1]
            parts += self.statement(right, scope, flow if last else Flow(flow.stdin))
            scope.certain = certain
            scope.bases = (
                None if before is None or scope.bases is None else tuple(dict.fromkeys((*before, *scope.bases)))
            )
        return parts

    def _pipeline(self, nodes: Sequence[Node], scope: Scope, flow: Flow) -> list[Part]:
        parts: list[Part] = []
        stdin = flow.stdin
        elements = [node for node in nodes if node.is_named and node.type != "comment"]
        for node in elements:
            own = flow.redirects if node is elements[-1] else ()
            made = self.statement(node, scope.copy(), Flow(stdin, own))
            parts += made
            stdin = builtins.said(node, made) or feeds(tuple(parts))
        return parts

    def _maybe(self, node: Node, scope: Scope, stdin: Stdin) -> list[Part]:
        """What is run perhaps, or again and again."""
        inside = [*self._inside(node, scope, deep=False), *self._looped_over(node, scope)]
        outer, scope.certain = scope.certain, False
        before = scope.bases
        commands_in_it = [child for child in node.children if child.type not in builtins.WORDS]
        parts = [part for _ in self._turns(node, scope) for part in self.statements(commands_in_it, scope, Flow(stdin))]
        if node.type in LOOPS and scope.bases != before:
            scope.bases = scope.after = None
            for _ in self._turns(node, scope):
                parts += self.statements(commands_in_it, scope, Flow(stdin))
        scope.certain = outer
        return inside + parts

    def _turns(self, node: Node, scope: Scope) -> Iterator[None]:
        is_for = node.type == "for_statement"
        given = words(node.children_by_field_name("value"), self._known(scope, [])) if is_for else []
        return scope.turns(node, given)

    def _looped_over(self, node: Node, scope: Scope) -> list[Part]:
        """The words of `for x in`: what is done with them is seen elsewhere, which files are among them only here."""
        if node.type != "for_statement":
            return []
        given = [child for child in node.children if child.type in builtins.WORDS and child.type != "variable_name"]
        files = named(looking_like_files(tuple(words(given, self._known(scope, [])))), ())
        shown = text(node).partition("\n")[0].partition(";")[0].strip()
        part = Part(shown, "read")
        return [placed(part, files, self._around(scope, Stdin()))] if files.reads else []

    def _command(self, node: Node, scope: Scope, flow: Flow) -> list[Part]:
        emitted: list[Part] = []
        known = self._known(scope, emitted)
        around = self._around(scope, flow.stdin)
        own = tuple(child for child in node.children if child.type in KINDS)
        turned = redirected((*own, *flow.redirects), known, around)
        stdin = turned.stdin or flow.stdin
        assigned = [child for child in node.children if child.type == "variable_assignment"]
        rest = [child for child in node.children if child not in assigned and child not in own]
        given = (*words(rest, known), *turned.words)
        prefix = [self._assigned(child, known) for child in assigned]
        # `IFS= read` decides how that one line is cut, and nothing else
        reads = [word.text for word in given[:1]] == ["read"]
        leading = [(name, value.text) for name, value in prefix if not (reads and name == "IFS")]
        led = joined(scope.led, on_assignments(leading))
        around = replace(around, stdin=stdin)
        parts = builtins.simple(given, scope, around, self) if given else [Part(text(node), "read")]
        if led.unseen and prefix and parts:
            parts[0] = replace(parts[0], text=text(node).strip())
        parts = [joined(part, led) for part in parts]
        if parts:
            parts[0] = joined(parts[0], turned.part)
        if not self._sandboxed and emitted:
            parts = [replace(part, unsure=part.unsure or SUBSTITUTES) for part in parts]
        return emitted + parts + self._follows(turned, parts, scope)

    def _follows(self, turned: Redirected, parts: list[Part], scope: Scope) -> list[Part]:
        """What is on the line of a here-document, behind it."""
        made: list[Part] = []
        for node in turned.follows:
            if node.type == "pipeline":
                scope_of_it = scope.copy()
                for child in node.children:
                    text_given = turned.stdin if [part.text for part in parts] == ["cat"] else None
                    made += self.statement(child, scope_of_it, Flow(text_given or feeds((*parts, *made))))
            else:
                made += self.statement(node, scope, Flow())
        return made

    def _alone(self, flow: Flow, scope: Scope) -> list[Part]:
        """The redirections of what is no simple command are a part of their own."""
        if not flow.redirects:
            return []
        emitted: list[Part] = []
        turned = redirected(flow.redirects, self._known(scope, emitted), self._around(scope, flow.stdin))
        shown = " ".join(text(node).partition("\n")[0] for node in flow.redirects)
        if turned.words:
            raise Unclear("it has words behind a redirection")
        part = joined(replace(HARMLESS, text=shown), turned.part)
        return [*emitted, part, *self._follows(turned, [part], scope)]

    def _assignments(self, node: Node, scope: Scope) -> list[Part]:
        emitted: list[Part] = []
        known = self._known(scope, emitted)
        nodes = [node] if node.type == "variable_assignment" else list(node.children)
        part = Part(text(node), "read")
        exported = node.type == "declaration_command" and builtins.exports(text(node))
        for child in nodes:
            if child.type != "variable_assignment":
                if child.is_named and child.type != "variable_name":
                    part = joined(part, builtins.declared(words([child], known), scope))
                continue
            name, value = self._assigned(child, known)
            scope.assign(name, None if "+=" in text(child)[: len(name) + 2] else value)
            added = on_assignments([(name, value.text)]) if exported or leads(name) else HARMLESS
            scope.led = joined(scope.led, added)
            part = joined(part, added)
        return [*emitted, part]

    def _assigned(self, node: Node, known: Known) -> tuple[str, Word]:
        name = text(node.children[0])
        values = [child for child in node.children[1:] if child.type not in ("=", "+=")]
        if node.children[0].type != "variable_name" or any(child.type == "array" for child in values):
            known.substitute(node)
            return name.partition("[")[0], Word(HOLE)
        made = words(values, known)
        return name, made[0] if len(made) == 1 else Word(HOLE if made else "")

    def _function(self, node: Node, scope: Scope, flow: Flow) -> list[Part]:
        """Its redirections are made whenever it is called; they count where it is defined."""
        own = Flow(redirects=(*(child for child in node.children if child.type in KINDS), *flow.redirects))
        if _inherited(own).kind != "nothing":
            raise Unclear("a function's input is redirected")
        name = next(text(child) for child in node.children if child.type == "word")
        body = next(child for child in node.children if child.type not in ("word", "function", "(", ")"))
        scope.functions[name] = (body, scope.certain)
        inside = replace(scope.copy(), certain=False, calls=(*scope.calls, name))
        parts = self.statements([child for child in node.children if child.is_named], inside, Flow())
        again = [one for one, _ in descend(body) if one.type == "command_name" and text(one) == name]
        if again and any(one.type in ("|", "&", "|&") for one, _ in descend(body)):
            parts.insert(0, Part(text(node), "execute", denied=COPIES_ITSELF))
        return [*self._alone(own, scope), *(parts or [Part(text(node), "read")])]

    def call(self, name: str, scope: Scope, stdin: Stdin) -> list[Part]:
        """Of a function of the command line itself."""
        body, _ = scope.functions[name]
        if name in scope.calls:
            return []
        calls, certain = scope.calls, scope.certain
        scope.calls, scope.certain = (*calls, name), False
        parts = self.statement(body, scope, Flow(stdin))
        scope.calls, scope.certain = calls, certain
        return parts

    def _inside(self, node: Node, scope: Scope, *, deep: bool = True) -> list[Part]:
        """What the substitutions in a node run; not deep: in its own words only."""
        emitted: list[Part] = []
        known = self._known(scope, emitted)
        if deep:
            known.substitute(node)
            return emitted
        for child in node.children:
            if child.is_named and child.type in builtins.WORDS:
                words([child], known)
        return emitted

    def _known(self, scope: Scope, emitted: list[Part]) -> Known:
        def substitute(node: Node) -> tuple[Part, ...]:
            made = self._substituted(node, scope)
            emitted.extend(made)
            return tuple(made)

        return Known(scope.known_variables(), substitute, lambda made: self._steps.take(made // CHARACTERS_A_STEP))

    def _substituted(self, node: Node, scope: Scope) -> list[Part]:
        if node.type in ("command_substitution", "process_substitution"):
            if text(node).startswith("`") and "\\" in text(node):
                raise Unclear("it has backticks in backticks")
            redirects = tuple(child for child in node.children if child.type in KINDS)
            parts = self._alone(Flow(Stdin(), redirects), scope.copy())
            inside = [child for child in node.children if child not in redirects]
            return parts + self.statements(inside, scope.copy(), Flow(Stdin("unknown")))
        inner: list[Part] = []
        for child in node.children:
            if (
                not child.children
                and child.type in ("word", "regex", "extglob_pattern")
                and builtins.hides(text(child))
            ):
                raise Unclear("it can be read in more than one way")
            inner += self._substituted(child, scope)
        return inner

    def _around(self, scope: Scope, stdin: Stdin) -> Around:
        def shell(script: str, given: Stdin) -> tuple[Part, ...]:
            fresh = Scope(Survey(), bases=scope.bases, after=scope.bases, led=scope.led)
            return tuple(self.line(script, fresh, given))

        return Around(stdin, self._sandboxed, scope.bases, shell, self._steps, self._depth, scope.inside)


def _timed(node: Node) -> Node | None:
    """`time ( ... )`: the parser takes the group for an argument."""
    children = node.children
    return (
        children[1] if len(children) == 2 and text(children[0]) == "time" and children[1].type == "subshell" else None
    )


def _inherited(flow: Flow) -> Stdin:
    """What the commands in a group have on standard input, of which each reads a piece."""
    if any(node.type != "file_redirect" or text(node).startswith("<") for node in flow.redirects):
        return Stdin("unknown")
    return flow.stdin if flow.stdin.kind != "text" else Stdin("unknown")
