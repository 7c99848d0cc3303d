"""Templates rendered by Jinja2, set up as openai-chatkit sets it up, and by our engine: the text must be
the same, apart from the differences listed below. Usage: check.py PATH-OF-THE-EXAMPLE-jinja [SEED]"""

import json
import random
import re
import subprocess
import sys
from collections import Counter
from decimal import Decimal

import jinja2.filters
import jinja2.nodes
import jinja2.runtime
from chatkit.widgets import _jinja_env as jinja
from jinja2 import Undefined
from markupsafe import Markup, escape

CASES = 2000

NUMBER = re.compile(r"\d[\d.]*(?:e[-+]?\d+)?")


def nearly(theirs, ours):
    """Whether texts differ only in the last digits of numbers."""
    numbers = zip(NUMBER.findall(theirs), NUMBER.findall(ours))
    near = all(abs(float(a) - float(b)) <= 1e-15 * abs(float(a)) for a, b in numbers)
    return near and NUMBER.split(theirs) == NUMBER.split(ours)


# What we do differently, on purpose or because nobody needs it: a pattern of the templates that differ,
# an example, the reason, and what the difference looks like. An example that does not differ any more
# fails the check.
LISTED = [
    (r"huge|large", "{{ huge / 3 }}", "more than 53 bits: we divide floats, Python divides integers exactly",
     nearly),
    (r"huge / \d\) (%|//)", "{{ (huge / 3) % 3 }}", "as above, and the remainder is of its last digits",
     lambda theirs, ours: theirs != ours),
    (r"minus \*\* 0\.5", "{{ minus ** 0.5 }}", "Python has complex numbers",
     lambda theirs, _: re.search(r"\dj\)", theirs)),
    (r"is (not )?(upper|lower)", "{{ [true] is lower }}", "Python writes `True` in a list",
     lambda theirs, ours: {theirs, ours} == {"true", "false"}),
    (r"\(\w+ if \w+\) is (not )?none", "{{ (name if no) is none }}", "an absent value is none",
     lambda theirs, ours: theirs != ours),
    (r"for x in \(mixed_list\|unique", "{% for x in (mixed_list|unique|list) %}{{ loop.length }}{% endfor %}",
     "in Python true equals 1", lambda theirs, ours: theirs != ours),
    (r"\.format\(", "{{ '{} {}'.format(2.0, [none]) }}", "a float in a format prints as in Python",
     lambda theirs, ours: re.sub(r"(\d)\.0(?!\d)", r"\1", ours) == theirs),
    (r"\|unique", "{{ [1, true]|unique|list }}", "in Python true equals 1",
     lambda theirs, ours: re.sub("[,-]?true", "", theirs) == re.sub("[,-]?true", "", ours)),
    (r"capitalize", "{{ 'ß'.capitalize() }}", "a letter with two capitals: Python writes one",
     lambda theirs, ours: theirs.replace("Ss", "SS") == ours),
]

DATA = {
    "name": "Ada Lovelace",
    "empty": "",
    "lower": "quick brown fox",
    "mixed": "Hello World, hello again",
    "accents": "Ärger Straße élan İstanbul",
    "cjk": "日本語 テスト",
    "emoji": "a👍b👩‍👩‍👧",
    "html": "<b>bold</b> & 'single' text",
    "lines": "one\ntwo\n\nthree four",
    "spaces": "  padded \t text  ",
    "digits": "0042",
    "decimal": "3.75",
    "hex": "ff",
    "csv": "a,b,,c",
    "long": "The quick brown fox jumps over the lazy dog and runs away from well-known places",
    "zero": 0,
    "one": 1,
    "two": 2,
    "seven": 7,
    "minus": -5,
    "big": 12345678901,
    "huge": 9007199254740993,
    "half": 2.5,
    "price": 1234.5678,
    "tiny": 0.000001234,
    "large": 1.5e20,
    "third": 0.3333333333333333,
    "yes": True,
    "no": False,
    "nothing": None,
    "none_listed": [],
    "nums": [3, 1, 2, 3],
    "floats": [1.5, 0.25, 2.75],
    "words": ["pear", "Apple", "fig", "apple"],
    "mixed_list": [1, "a", None, True, 2.5],
    "nested": [[1, 2], [3], []],
    "person": {"name": "Grace", "age": 85, "langs": ["COBOL", "FORTRAN"], "tags": {"navy": True}},
    "people": [
        {"name": "Ada", "age": 36, "team": "a", "ok": True},
        {"name": "Grace", "age": 85, "team": "b", "ok": False},
        {"name": "Alan", "age": 41, "team": "a", "ok": True},
    ],
    "counts": {"b": 2, "a": 1, "C": 3},
}


class Generator:
    """Expressions by type, from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, *choices):
        return self.random.choice(choices)

    def kind(self, depth):
        return self.pick(self.text, self.text, self.number, self.flag, self.items, self.value)(depth)

    def value(self, depth):
        return self.pick("nothing", "person", "counts", "person.age", "person['name']", "mixed_list[2]",
                         "people[0]", "people[-1].name", "nested[0][1]", "person.langs[0]",
                         "{'a': 1, 'b': [1, 2]}", "{'x': none, 'y': true}", "(1, 'two')", "[none, true, 1.0]",
                         "person.tags", "none", "true", "false", "person.get('age')", "person.get('x', 'no')")

    def text(self, depth):
        if depth <= 0:
            return self.pick("name", "empty", "lower", "mixed", "accents", "cjk", "emoji", "html", "lines",
                             "spaces", "digits", "decimal", "csv", "long", "person.name", "words[1]",
                             "'it\\'s'", "'tab\\tnew\\nline'", "'back\\\\slash'", "'\\u00e9\\x41'", "'100%'", "'ß'")
        text, number, items = self.text, self.number, self.items
        deeper = depth - 1
        return self.pick(
            lambda: f"{text(deeper)}|{self.pick('upper', 'lower', 'title', 'capitalize', 'trim', 'string', 'reverse', 'first', 'last', 'striptags', 'escape', 'urlencode', 'wordcount', 'e', 'forceescape')}",
            lambda: f"{text(deeper)}.{self.pick('upper', 'lower', 'title', 'capitalize', 'strip', 'lstrip', 'rstrip', 'swapcase', 'casefold', 'isdigit', 'isalpha', 'isalnum', 'isspace', 'isupper', 'islower', 'istitle', 'isdecimal', 'splitlines')}()",
            lambda: f"({text(deeper)} ~ {self.kind(deeper)})",
            lambda: f"({text(deeper)} + {text(deeper)})",
            lambda: f"({text(deeper)} * {self.pick(0, 1, 2, 3)})",
            lambda: f"({text(deeper)} if {self.flag(deeper)} else {text(deeper)})",
            lambda: f"({text(deeper)} if {self.flag(deeper)})",
            lambda: f"{text(deeper)}|replace({self.pick(chr(39) + 'a' + chr(39), chr(39) + 'l' + chr(39), chr(39) + ' ' + chr(39))}, {self.pick(chr(39) + chr(39), chr(39) + '-' + chr(39))}{self.pick('', ', 1', ', 2')})",
            lambda: f"{text(deeper)}.replace({self.pick(repr('a'), repr(' '))}, {self.pick(repr(''), repr('_'))}{self.pick('', ', 1')})",
            lambda: f"{text(deeper)}|truncate({self.pick(5, 9, 12, 20)}{self.pick('', ', true', ', false', ', true, ' + repr('…'), ', false, ' + repr('…') + ', 0')})",
            lambda: f"{text(deeper)}|center({self.pick(9, 20, 21)})",
            lambda: f"{text(deeper)}.{self.pick('center', 'ljust', 'rjust')}({self.pick(12, 25, 30)}{self.pick('', ', ' + repr('*'))})",
            lambda: f"{text(deeper)}.zfill({self.pick(3, 8)})",
            lambda: f"{text(deeper)}|wordwrap({self.pick(5, 10, 20, 30)}{self.pick('', ', false', ', true, ' + repr('/'))})",
            lambda: f"{text(deeper)}|indent({self.pick('', '2', '4, true', '2, false, true', repr('> '), 'width=3', 'first=true')})",
            lambda: f"{text(deeper)}|default('d'{self.pick('', ', true')})",
            lambda: f"{text(deeper)}[{self.pick('0', '-1', '1:3', ':4', '::2', '::-1', '-3:', '2:100')}]",
            lambda: f"{items(deeper)}|join({self.pick('', repr(', '), repr('-'))})",
            lambda: f"', '.join({self.pick('words', 'csv.split(' + repr(',') + ')', 'words|map(' + repr('upper') + ')')})",
            lambda: f"{text(deeper)}.{self.pick('partition', 'rpartition')}({self.pick(repr(' '), repr(','), repr('zz'))})[{self.pick(0, 1, 2)}]",
            lambda: f"{text(deeper)}.{self.pick('removeprefix', 'removesuffix', 'strip', 'lstrip', 'rstrip', 'split', 'rsplit', 'startswith', 'endswith', 'count', 'find', 'rfind')}({self.pick(repr('a'), repr('He'), repr(' '), repr('n'))})",
            lambda: f"{text(deeper)}.{self.pick('split', 'rsplit')}({self.pick('', 'none, 1', repr(' ') + ', 1', repr(','))})",
            lambda: self.format(deeper),
            lambda: f"{number(deeper)}|string",
            lambda: f"{number(deeper)}|filesizeformat{self.pick('', '(true)')}",
            lambda: f"joiner('-')() ~ {text(deeper)}",
        )()

    def format(self, depth):
        number = lambda: self.number(depth)
        text = lambda: self.text(depth)
        return self.pick(
            lambda: f"'{self.pick('%d', '%5d', '%-6d|', '%05d', '%+d', '%i', '%x', '%X', '%o')}' % ({self.whole(depth)})",
            lambda: f"'{self.pick('%.2f', '%8.3f', '%-9.1f|', '%+.1f', '%f', '%e', '%.3g', '%g', '%08.2f', '%.0f')}' % ({number()})",
            lambda: f"'%s and %s' % ({text()}, {self.kind(depth)})",
            lambda: f"'%(a)s/%(b)05.1f' % {{'a': {text()}, 'b': {number()}}}",
            lambda: f"'{self.pick('%s', '%10s', '%-10s|', '%.3s', '100%% %s')}' % {self.pick('name', 'seven', 'yes', 'nothing', 'nums', 'price')}",
            lambda: f"'%s %d'|format({text()}, {self.whole(depth)})",
            lambda: f"'%(x)s'|format(x={text()})",
            lambda: f"'{self.pick('{}', '{0}', '{:>8}', '{:<8}|', '{:^9}', '{:*^11}')}'.format({text()})",
            lambda: f"'{self.pick('{:.2f}', '{:,.2f}', '{:08.3f}', '{:+.1f}', '{:e}', '{:g}', '{:.1%}', '{:.2%}', '{:10.1%}', '{:<9.0%}|', '{:+.1%}', '{:,}')}'.format({number()})",
            lambda: f"'{self.pick('{:d}', '{:,}', '{:5d}', '{:<5d}|', '{:05d}', '{:x}', '{:b}', '{:o}', '{:_}')}'.format({self.whole(depth)})",
            lambda: f"'{{1}} {{0}}'.format({text()}, {number()})",
            lambda: f"'{{a}} {{b:.1f}}'.format(a={text()}, b={number()})",
            lambda: f"'{{0[name]}} {{p.x}}'.format(person, p={{'x': {number()}}})",
            lambda: f"'{{}} {{:.0%}} {{}}'.format({text()}, {number()}, seven)",
        )()

    def whole(self, depth):
        if depth <= 0:
            return self.pick("zero", "one", "two", "seven", "minus", "big", "person.age", "42", "nums[0]", "words|length")
        deeper = depth - 1
        return self.pick(
            lambda: f"({self.whole(deeper)} {self.pick('+', '-', '*')} {self.whole(deeper)})",
            lambda: f"({self.whole(deeper)} {self.pick('//', '%')} {self.pick('3', '7', '-4', 'two')})",
            lambda: f"{self.pick('digits', 'decimal', 'name', 'price', 'half')}|int{self.pick('', '(7)', '(default=3)')}",
            lambda: f"{self.pick('hex', repr('0x1F'), 'digits', repr('1010'))}|int({self.pick('0, 16', 'base=16', '0, 8', 'base=2', '0, 36')})",
            lambda: f"{self.items(deeper)}|length",
            lambda: f"{self.text(deeper)}|length",
            lambda: f"{self.whole(deeper)}|abs",
        )()

    def number(self, depth):
        if depth <= 0:
            return self.pick("zero", "one", "two", "seven", "minus", "big", "huge", "half", "price", "tiny", "large",
                             "third", "1.0", "0.1", "10", "1_000", "2.50")
        deeper = depth - 1
        number = self.number
        return self.pick(
            lambda: self.whole(depth),
            lambda: f"({number(deeper)} {self.pick('+', '-', '*')} {number(deeper)})",
            lambda: f"({number(deeper)} / {self.pick('2', '3', '7', '0.5', '-4')})",
            lambda: f"({number(deeper)} // {self.pick('2', '3', '-4', '0.5')})",
            lambda: f"({number(deeper)} % {self.pick('2', '3', '-4', '2.5')})",
            lambda: f"({self.pick('two', 'seven', 'half', 'minus')} ** {self.pick('2', '3', '0', '0.5', '-1', '10')})",
            lambda: f"-{number(0)}",
            lambda: f"{number(deeper)}|round{self.pick('', '(1)', '(2)', '(3)', '(0, ' + repr('floor') + ')', '(1, ' + repr('ceil') + ')', '(precision=1)', '(method=' + repr('ceil') + ')')}",
            lambda: f"{number(deeper)}|{self.pick('abs', 'int', 'float', 'round|int')}",
            lambda: f"{self.pick('nums', 'floats', '[1, 2.5]')}|{self.pick('sum', 'min', 'max', 'first', 'last', 'sum(start=10)')}",
            lambda: f"people|{self.pick('sum(attribute=' + repr('age') + ')', 'map(attribute=' + repr('age') + ')|' + self.pick('max', 'min', 'sum', 'list|length'))}",
            lambda: f"{self.pick('decimal', 'digits', 'name')}|float{self.pick('', '(1.5)')}",
        )()

    def flag(self, depth):
        if depth <= 0:
            return self.pick("yes", "no", "nothing", "empty", "zero", "nums", "none_listed", "person.tags.navy")
        deeper = depth - 1
        text, number, items = self.text, self.number, self.items
        return self.pick(
            lambda: f"({number(deeper)} {self.pick('<', '<=', '>', '>=', '==', '!=')} {number(deeper)})",
            lambda: f"({text(deeper)} {self.pick('<', '==', '!=', '>=')} {text(deeper)})",
            lambda: f"({self.pick('1', repr('a'), repr('fig'), 'nothing', '3')} {self.pick('in', 'not in')} {items(deeper)})",
            lambda: f"({self.pick(repr('a'), repr('ell'), repr(''))} {self.pick('in', 'not in')} {text(deeper)})",
            lambda: f"('{self.pick('name', 'x')}' in person)",
            lambda: f"(not {self.flag(deeper)})",
            lambda: f"({self.flag(deeper)} {self.pick('and', 'or')} {self.flag(deeper)})",
            lambda: f"({self.kind(deeper)} is {self.pick('', 'not ')}{self.pick('defined', 'none', 'string', 'number', 'mapping', 'sequence', 'iterable', 'boolean', 'true', 'false', 'integer', 'float', 'sameas none')})",
            lambda: f"({self.whole(deeper)} is {self.pick('odd', 'even', 'divisibleby 3', 'divisibleby(2)', 'gt 3', 'eq 7', 'in nums')})",
            lambda: f"({text(deeper)} is {self.pick('upper', 'lower', 'eq ' + repr('x'))})",
            lambda: f"(1 < {number(deeper)} < 10)",
            lambda: f"(missing is {self.pick('defined', 'undefined')})",
        )()

    def items(self, depth):
        if depth <= 0:
            return self.pick("nums", "floats", "words", "mixed_list", "none_listed", "nested", "[1, 'b', 2.0]", "range(4)|list",
                             "(1, 2)", "person.langs", "counts|list", "[]")
        deeper = depth - 1
        items, text = self.items, self.text
        return self.pick(
            lambda: f"({items(deeper)}|{self.pick('list', 'reverse|list', 'unique|list', 'first', 'last', 'length', 'batch(2)|list', 'slice(2)|list', 'batch(2, 0)|list')})",
            lambda: f"({self.pick('nums', 'floats', 'words', 'person.langs')}|{self.pick('sort', 'sort(reverse=true)', 'sort(case_sensitive=true)', 'unique|sort', 'sort|first', 'max', 'min', 'sort(true)')})",
            lambda: f"({self.pick('words', 'person.langs')}|map('{self.pick('upper', 'length', 'first', 'title', 'replace', 'truncate')}'{''})|list)".replace("'replace')", "'replace', 'p', 'q')").replace("'truncate')", "'truncate', 3, true)"),
            lambda: f"(nums|{self.pick('select', 'reject')}('{self.pick('odd', 'even', 'gt', 'lessthan', 'in')}'{''})|list)".replace("'gt')", "'gt', 2)").replace("'lessthan')", "'lessthan', 3)").replace("'in')", "'in', [1, 2])"),
            lambda: f"(people|{self.pick('map(attribute=' + repr('name') + ')', 'selectattr(' + repr('ok') + ')|map(attribute=' + repr('age') + ')', 'rejectattr(' + repr('ok') + ')|map(attribute=' + repr('name') + ')', 'selectattr(' + repr('age') + ', ' + repr('gt') + ', 40)|map(attribute=' + repr('name') + ')', 'sort(attribute=' + repr('age') + ')|map(attribute=' + repr('name') + ')', 'map(attribute=' + repr('zip') + ', default=' + repr('-') + ')', 'unique(attribute=' + repr('team') + ')|map(attribute=' + repr('name') + ')', 'sort(attribute=' + repr('team,age') + ')|map(attribute=' + repr('name') + ')')}|list)",
            lambda: f"(people|groupby('{self.pick('team', 'ok', 'age')}')|map('first')|list)",
            lambda: f"(people|{self.pick('max', 'min')}(attribute='{self.pick('age', 'name')}')).{self.pick('name', 'values()|list', 'keys()|list')}",
            lambda: f"(words|{self.pick('max(true)', 'min(case_sensitive=true)', 'unique(true)|list', 'unique(case_sensitive=true)|list', 'sort(false, true)', 'sort|join', 'batch(3, none)|list', 'slice(3, 0)|list', 'map(' + repr('capitalize') + ')|join(' + repr('; ') + ')', 'select(' + repr('in') + ', [' + repr('fig') + '])|list', 'reject(' + repr('eq') + ', ' + repr('fig') + ')|list', 'select|list', 'last', 'first', 'count')})",
            lambda: f"(mixed_list|{self.pick('select|list', 'reject(' + repr('none') + ')|list', 'select(' + repr('string') + ')|list', 'select(' + repr('number') + ')|list', 'map(' + repr('string') + ')|list', 'map(' + repr('default') + ', ' + repr('-') + ', true)|list', 'join(' + repr(', ') + ')')})",
            lambda: f"(nested|{self.pick('map(' + repr('sum') + ')|list', 'map(' + repr('length') + ')|list', 'sum(start=[])', 'map(' + repr('join') + ', ' + repr('+') + ')|join(' + repr(' ') + ')', 'sort', 'first|first', 'map(' + repr('first') + ')|first')})",
            lambda: f"dict(a={self.pick('1', 'name')}, b=[1]){self.pick('', '.keys()|list', '.items()|list', '|items|list', '|length', '.a')}",
            lambda: f"(counts|{self.pick('dictsort', 'dictsort(true)', 'dictsort(by=' + repr('value') + ')', 'dictsort(reverse=true)', 'items|list')})",
            lambda: f"(counts.{self.pick('keys', 'values', 'items')}()|list)",
            lambda: f"({items(deeper)}[{self.pick('0:2', '1:', '::-1', ':-1', '-2:')}])",
            lambda: f"({self.pick('nums', 'words', 'none_listed')} + {self.pick('[9]', 'words', '[]')})",
            lambda: f"(nums * {self.pick(0, 2)})",
            lambda: f"{text(deeper)}.split({self.pick('', repr(','), repr(' '))})",
            lambda: f"(range({self.pick('3', '1, 4', '0, 10, 3', '5, 0, -2')})|list)",
            lambda: f"({text(deeper)}|list)",
            lambda: f"({items(deeper)} if {self.flag(deeper)} else [])",
        )()

    def template(self):
        depth = self.pick(0, 1, 1, 2, 2, 3)
        expr = lambda: self.kind(depth)
        return self.pick(
            lambda: f"{{{{ {expr()} }}}}",
            lambda: f"{{{{ {expr()} }}}}",
            lambda: f"{{{{ {self.text(depth)} }}}}",
            lambda: f"{{{{ {self.format(1)} }}}}",
            lambda: f"{{{{ ({expr()})|tojson }}}}",
            lambda: f"<{{{{ {self.text(depth)} if {self.flag(depth)} }}}}>",
            lambda: f"<{{{{ seven ~ ' item' ~ ('s' if {self.flag(depth)}) }}}}>",
            lambda: f"{{% if {self.flag(depth)} %}}A{{% elif {self.flag(depth)} %}}B{{% else %}}C{{% endif %}}",
            lambda: f"{{% for x in {self.items(depth)} %}}{{{{ loop.{self.pick('index', 'index0', 'revindex', 'revindex0', 'first', 'last', 'length', 'depth')} }}}}:{{{{ x }}}}{{{{ ', ' if not loop.last }}}}{{% else %}}none{{% endfor %}}",
            lambda: f"{{% for k, v in counts.items() %}}{{{{ k }}}}={{{{ v * {self.pick(1, 2, 1.5)} }}}} {{% endfor %}}",
            lambda: f"{{% for p in people if p.{self.pick('ok', 'age > 40', 'name|length > 3')} %}}{{{{ p.name }}}}{{{{ loop.cycle('/', '-') }}}}{{% endfor %}}",
            lambda: f"{{% for p in people %}}{{{{ loop.previtem.name if loop.previtem is defined }}}}>{{{{ loop.changed(p.team) }}}} {{% endfor %}}",
            lambda: f"{{% set x = {expr()} %}}[{{{{ x }}}}]{{% set y %}}({{{{ x }}}}){{% endset %}}{{{{ y|upper }}}}",
            lambda: f"{{% set ns = namespace(n=0) %}}{{% for x in nums %}}{{% set ns.n = ns.n + x {self.pick('', '* 2')} %}}{{% endfor %}}{{{{ ns.n }}}}",
            lambda: f"{{% macro m(a, b={self.pick('1', repr('z'), 'name')}) %}}<{{{{ a }}}}|{{{{ b }}}}>{{% endmacro %}}{{{{ m({expr()}) }}}}{{{{ m(1, b=2) }}}}",
            lambda: f"{{% macro box(t) %}}[{{{{ t }}}}:{{{{ caller() }}}}]{{% endmacro %}}{{% call box({self.text(0)}) %}}in {{{{ seven }}}}{{% endcall %}}",
            lambda: f"{{% macro down(n) %}}{{{{ n }}}}{{% if n > 0 %}}{{{{ down(n - 1) }}}}{{% endif %}}{{% endmacro %}}{{{{ down({self.pick(0, 3, 9)}) }}}}",
            lambda: f"{{% set c = cycler('odd', 'even') %}}{{% for x in nums %}}{{{{ c.next() }}}} {{% endfor %}}{{{{ c.current }}}}",
            lambda: f"{{% set j = joiner({self.pick('', repr(' | '))}) %}}{{% for w in words %}}{{{{ j() }}}}{{{{ w }}}}{{% endfor %}}",
            lambda: f"{{% filter {self.pick('upper', 'trim', 'replace(' + repr('o') + ', ' + repr('0') + ')', 'indent(2)')} %}} two {{{{ name }}}} foo {{% endfilter %}}",
            lambda: f"{{% with a = {expr()}, b = 2 %}}{{{{ a }}}}{{{{ b }}}}{{% endwith %}}",
            lambda: f" a {self.pick('{{', '{{-')} {self.text(0)} {self.pick('}}', '-}}')} b \n {self.pick('{%', '{%-')} if yes {self.pick('%}', '-%}')} \n c {self.pick('{%', '{%-', '{%+')} endif {self.pick('%}', '-%}')} \n d\n",
            lambda: f"x {self.pick('{#', '{#-')} note {{{{ name }}}} {self.pick('#}', '-#}')} y {{% raw %}}{{{{ raw }}}}{{% endraw %}}\n",
            lambda: f"{{% for row in nested recursive %}}{{{{ row if row is number else '(' ~ loop(row) ~ ')' }}}}{{% endfor %}}",
            lambda: f"{{% for a in nums %}}{{% for b in words %}}{{% if loop.last %}}{{{{ loop.index }}}}{{{{ a }}}}{{{{ b }}}}{{% endif %}}{{% endfor %}}{{% endfor %}}",
            lambda: f"{{% for g in people|groupby('{self.pick('team', 'ok')}') %}}{{{{ g.grouper }}}}:{{{{ g.list|map(attribute='name')|join('+') }}}} {{% endfor %}}",
            lambda: f"{{% for t, list in people|groupby('team') %}}{{{{ t }}}}{{{{ list|length }}}}{{% endfor %}}",
        )()


def as_json(value):
    """A value as we print it: as JSON does, and numbers as JavaScript does."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, float):
        if value == 0:
            return "0"
        plain = f"{Decimal(repr(value)):f}"
        plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
        return plain if 1e-6 <= abs(value) < 1e21 else re.sub(r"e([+-])0*", r"e\1", repr(value))
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(str(key))}:{in_json(value[key])}" for key in value) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(in_json, value)) + "]"
    return str(value)


def in_json(value):
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else as_json(value)


class Flag(int):
    """A boolean that prints as JSON, and is a number for `%d`."""

    def __str__(self):
        return as_json(bool(self))

    def __format__(self, spec):
        return format(str(self) if spec[-1:] in ("", "s") else int(self), spec)


class Float(float):
    def __str__(self):
        return as_json(float(self))

    def __format__(self, spec):
        return str(self) if spec == "" else float.__format__(self, spec)


def formatted(value):
    """A value as a format is given it, so that it prints as JSON."""
    if isinstance(value, bool):
        return Flag(value)
    if isinstance(value, float):
        return Float(value)
    return value if isinstance(value, (str, int, Undefined)) else as_json(value)


def modulo(_context, _operator, left, right):
    if isinstance(left, str) and isinstance(right, tuple):
        right = tuple(map(formatted, right))
    elif isinstance(left, str) and isinstance(right, dict) and "%(" in left:
        right = {key: formatted(value) for key, value in right.items()}
    elif isinstance(left, str):
        right = formatted(right)
    return left % right


def call(context, function, *args, **kwargs):
    owner = getattr(function, "__self__", None)
    if isinstance(owner, str) and function.__name__ == "format":
        args, kwargs = map(formatted, args), {key: formatted(value) for key, value in kwargs.items()}
    return context.call(function, *args, **kwargs)


def not_constant(*_):
    raise jinja2.nodes.Impossible


def print_as_json():
    """From here on, Jinja2 prints values as JSON does."""
    jinja.optimized = False  # It would print constants while compiling.
    jinja2.nodes.Concat.as_const = not_constant
    jinja.finalize = lambda value: value if isinstance(value, Undefined) else as_json(value)
    # As a sandbox does, so that formats can be given other values.
    jinja.sandboxed, jinja.intercepted_binops, jinja.intercepted_unops = True, {"%"}, set()
    jinja.call_binop, jinja.call = modulo, call
    join = lambda values: "".join(map(as_json, values))
    for name in ("str_join", "markup_join"):
        setattr(jinja2.runtime, name, join)
    jinja2.filters.soft_str = as_json
    jinja.filters["string"] = as_json
    jinja.filters["format"] = lambda value, *args, **kwargs: modulo(None, "%", value, kwargs or args)
    jinja.filters["striptags"] = lambda value: Markup(as_json(value)).striptags()
    jinja.filters["replace"] = lambda value, *args: as_json(value).replace(*args)
    for name in ("e", "escape", "forceescape"):
        jinja.filters[name] = lambda value: escape(value if isinstance(value, str) else as_json(value))
    jinja.filters["join"] = lambda values, glue="": glue.join(map(as_json, values))


def same(template, theirs, ours):
    """Whether a text is the same, and what `tojson` writes the same value."""
    if theirs is None or ours is None or theirs == ours:
        return theirs == ours
    try:
        return "tojson" in template and json.loads(theirs) == json.loads(ours)
    except ValueError:
        return False


def render(template):
    try:
        return jinja.from_string(template).render(**DATA)
    except Exception:  # Whatever Python raises, the template is refused.
        return None


def is_listed(template, theirs, ours):
    return any(
        re.search(pattern, template) and theirs is not None and ours is not None and explains(theirs, ours)
        for pattern, _, _, explains in LISTED
    )


def main():
    generator = Generator(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    examples = [example for _, example, _, _ in LISTED]
    templates = list(dict.fromkeys(generator.template() for _ in range(CASES * 3)))[:CASES] + examples
    sent = json.dumps([[template, DATA] for template in templates])
    ran = subprocess.run([sys.argv[1]], input=sent.encode(), stdout=subprocess.PIPE, check=True)
    results = json.loads(ran.stdout)
    plain = [render(template) for template in templates]
    print_as_json()
    count, differs, faults = Counter(), set(), []
    for template, theirs, result in zip(templates, plain, results, strict=True):
        ours, printed = result.get("text"), render(template)
        if "lanes" in result:
            faults.append((template, "the fast path", *result["lanes"]))
        if theirs is None:
            count["refused by both" if ours is None else "refused by Jinja2 only"] += 1
        elif theirs == ours:
            count["the same"] += 1
        elif same(template, printed, ours):
            count["the same, with values printed as JSON"] += 1
        elif is_listed(template, printed, ours):
            count["listed"] += 1
            differs.add(template)
        else:
            faults.append((template, "Jinja2", theirs, ours if ours is not None else result["error"]))
    for template, peer, theirs, ours in faults:
        print(f"{template}\n  {peer}: {theirs!r}\n  ours: {ours!r}")
    for example in set(examples) - differs:
        faults.append(example)
        print(f"{example}\n  is listed as a difference, but is none")
    print(f"{len(templates)} templates: " + ", ".join(f"{many} {what}" for what, many in count.most_common()))
    if faults:
        sys.exit(f"{len(faults)} templates differ and are not listed")


main()
