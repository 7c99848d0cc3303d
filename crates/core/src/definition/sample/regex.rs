//! Generates a string that matches a simple regular expression: literals, classes, counts, groups,
//! alternations, `\d`, `\w`, `\s` and anchors. It returns `None` for anything else (look-around, back
//! references, Unicode properties): the caller then falls back to ordinary text, and the validator decides.
//! Regex libraries parse more, but the available ones cannot generate matches.

/// Maximum length in characters; counts such as `{9999}` give up instead.
const MAX_TEXT: usize = 2_000;
/// Maximum nesting of groups, so that `((((…` cannot exhaust the stack.
const MAX_NESTING: usize = 20;
/// Longer patterns are not worth parsing for every generated string.
const MAX_PATTERN: usize = 1_000;

enum Node {
    Class(Vec<(char, char)>),
    All(Vec<Node>),
    Any(Vec<Node>),
    Repeat(Box<Node>, usize, usize),
}

/// A text that matches `pattern`, if this parser supports it. Every count takes its minimum plus `extra`
/// (within its maximum); `pick(n)` chooses one of `n` alternatives or characters.
pub(super) fn generate(
    pattern: &str,
    extra: usize,
    pick: &mut dyn FnMut(usize) -> usize,
) -> Option<String> {
    if pattern.len() > MAX_PATTERN {
        return None;
    }
    let mut parser = Parser { chars: pattern.chars().collect(), at: 0 };
    let node = parser.any(0)?;
    if parser.at < parser.chars.len() {
        return None;
    }
    let mut text = Vec::new();
    write(&node, extra, pick, &mut text)?;
    Some(text.into_iter().collect())
}

fn write(
    node: &Node,
    extra: usize,
    pick: &mut dyn FnMut(usize) -> usize,
    out: &mut Vec<char>,
) -> Option<()> {
    match node {
        Node::Class(ranges) => {
            if out.len() >= MAX_TEXT {
                return None;
            }
            let (low, high) = *ranges.get(pick(ranges.len()))?;
            let width = (high as u32).checked_sub(low as u32)? as usize + 1;
            out.push(char::from_u32(low as u32 + pick(width) as u32).unwrap_or(low));
        }
        Node::All(nodes) => {
            for node in nodes {
                write(node, extra, pick, out)?;
            }
        }
        Node::Any(nodes) => write(nodes.get(pick(nodes.len()))?, extra, pick, out)?,
        Node::Repeat(node, min, max) => {
            for _ in 0..min.saturating_add(extra).min(*max) {
                let before = out.len();
                write(node, extra, pick, out)?;
                // An empty body would let `(){9}{9}…` loop for ever without reaching the text limit.
                if out.len() == before {
                    break;
                }
            }
        }
    }
    Some(())
}

struct Parser {
    chars: Vec<char>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += 1;
        Some(next)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = text.chars().enumerate().all(|(i, c)| self.chars.get(self.at + i) == Some(&c));
        if found {
            self.at += text.chars().count();
        }
        found
    }

    fn any(&mut self, depth: usize) -> Option<Node> {
        if depth > MAX_NESTING {
            return None;
        }
        let mut branches = vec![self.all(depth)?];
        while self.eat("|") {
            branches.push(self.all(depth)?);
        }
        Some(Node::Any(branches))
    }

    fn all(&mut self, depth: usize) -> Option<Node> {
        let mut nodes = Vec::new();
        while let Some(c) = self.peek().filter(|c| !matches!(c, '|' | ')')) {
            self.at += 1;
            let atom = match c {
                // The position of anchors is not checked: the text is complete, so usual positions hold.
                '^' | '$' => continue,
                '(' => self.group(depth)?,
                '[' => self.class()?,
                '\\' => match self.next()? {
                    'b' => continue,
                    c => Node::Class(self.escape(c)?),
                },
                '.' => Node::Class(vec![('a', 'z'), (' ', '~')]),
                '*' | '+' | '?' => return None,
                c => Node::Class(vec![(c, c)]),
            };
            nodes.push(self.repeat(atom)?);
        }
        Some(Node::All(nodes))
    }

    fn group(&mut self, depth: usize) -> Option<Node> {
        if self.eat("?<") {
            if matches!(self.peek()?, '=' | '!') {
                return None;
            }
            while self.next()? != '>' {}
        } else if !self.eat("?:") && self.peek()? == '?' {
            return None;
        }
        let node = self.any(depth + 1)?;
        self.eat(")").then_some(node)
    }

    fn repeat(&mut self, atom: Node) -> Option<Node> {
        let start = self.at;
        let (min, max) = match self.peek() {
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('?') => (0, 1),
            Some('{') => match self.count() {
                Some(count) => count,
                // A brace that starts no count is a literal brace, which the caller reads next.
                None => {
                    self.at = start;
                    return Some(atom);
                }
            },
            _ => return Some(atom),
        };
        if self.at == start {
            self.at += 1;
        }
        self.eat("?");
        (min <= max).then(|| Node::Repeat(Box::new(atom), min, max))
    }

    fn count(&mut self) -> Option<(usize, usize)> {
        self.at += 1;
        let min = self.digits()?;
        let max = match self.eat(",") {
            false => min,
            true if self.peek()? == '}' => usize::MAX,
            true => self.digits()?,
        };
        self.eat("}").then_some((min, max))
    }

    fn digits(&mut self) -> Option<usize> {
        let mut text = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_digit) {
            text.push(c);
            self.at += 1;
        }
        text.parse().ok()
    }

    fn class(&mut self) -> Option<Node> {
        let negated = self.eat("^");
        let mut ranges = Vec::new();
        while !self.eat("]") {
            let low = self.class_item()?;
            let dash =
                self.peek() == Some('-') && self.chars.get(self.at + 1).is_some_and(|c| *c != ']');
            if let ([(from, _)], true) = (low.as_slice(), dash) {
                self.at += 1;
                let [(to, _)] = self.class_item()?[..] else { return None };
                ranges.push((*from, to));
            } else {
                ranges.extend(low);
            }
        }
        if ranges.iter().any(|(low, high)| low > high) {
            return None;
        }
        if negated {
            ranges = without(&ranges);
        }
        (!ranges.is_empty()).then_some(Node::Class(ranges))
    }

    fn class_item(&mut self) -> Option<Vec<(char, char)>> {
        match self.next()? {
            '\\' => {
                let c = self.next()?;
                self.escape(c)
            }
            c => Some(vec![(c, c)]),
        }
    }

    fn escape(&mut self, c: char) -> Option<Vec<(char, char)>> {
        let digit = [('0', '9')];
        let word = [('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')];
        let space = [(' ', ' '), ('\t', '\t')];
        Some(match c {
            'd' => digit.to_vec(),
            'D' => without(&digit),
            'w' => word.to_vec(),
            'W' => without(&word),
            's' => space.to_vec(),
            'S' => [('a', 'z')].into_iter().chain(without(&space)).collect(),
            'n' => vec![('\n', '\n')],
            't' => vec![('\t', '\t')],
            'r' => vec![('\r', '\r')],
            'x' => self.hex(2)?,
            'u' => self.hex(4)?,
            c if c.is_ascii_alphanumeric() => return None,
            c => vec![(c, c)],
        })
    }

    fn hex(&mut self, length: usize) -> Option<Vec<(char, char)>> {
        let digits: String = (0..length).map_while(|_| self.next()).collect();
        let c = char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?;
        Some(vec![(c, c)])
    }
}

/// Printable ASCII without `ranges`; characters beyond would match too, but are harder to read.
fn without(ranges: &[(char, char)]) -> Vec<(char, char)> {
    let free = |c: &char| !ranges.iter().any(|(low, high)| low <= c && c <= high);
    ('!'..='~').chain([' ']).filter(free).map(|c| (c, c)).collect()
}
