//! The skeleton of a template: the JSON it writes, with holes where values go.
//!
//! A template is text, but nearly all of them write JSON in an orderly way: whole values in value
//! positions, whole members and items under `if` and `for`, commas by one of a few idioms
//! (Studio's `set _c` trick among them). This module reads a template that way or gives up. With a
//! skeleton, constant parts can be checked once, holes can be checked by type, commas need not be
//! trusted to text, and a fault can be shown at its place in the template.

use std::borrow::Cow;
use std::ops::Range;

use minijinja::machinery::ast::{BinOpKind, Expr, ForLoop, Stmt, UnaryOpKind};
use serde_json::Value;

/// A value of the skeleton and where it stands in the template.
#[derive(Debug)]
pub(super) struct Spot<'t, 's> {
    pub node: Node<'t, 's>,
    pub range: Range<usize>,
}

#[derive(Debug)]
pub(super) enum Node<'t, 's> {
    Object(Vec<Item<'t, 's>>),
    Array(Vec<Item<'t, 's>>),
    /// A string, with values printed into it.
    Text(Vec<Part<'t, 's>>),
    /// A number, a boolean or null.
    Const(Value),
    /// A printed value: with `tojson`, or bare.
    Slot {
        expr: &'t Expr<'s>,
        json: bool,
    },
    /// One value or the other.
    If(&'t Expr<'s>, Box<Spot<'t, 's>>, Box<Spot<'t, 's>>),
}

#[derive(Debug)]
pub(super) enum Part<'t, 's> {
    Const(Cow<'s, str>),
    Print(&'t Expr<'s>),
    If(&'t Expr<'s>, Vec<Part<'t, 's>>, Vec<Part<'t, 's>>),
}

/// An item of a list or a member of an object, or something that makes some.
#[derive(Debug)]
pub(super) enum Item<'t, 's> {
    One {
        key: Option<Cow<'s, str>>,
        value: Spot<'t, 's>,
    },
    If(&'t Expr<'s>, Vec<Item<'t, 's>>, Vec<Item<'t, 's>>),
    For(&'t ForLoop<'s>, Vec<Item<'t, 's>>),
    Set(&'s str, &'t Expr<'s>),
    /// Studio's capture: commas lead, and the first is cut off.
    Strip(Vec<Item<'t, 's>>),
    Comma,
    CommaUnlessLast,
    CommaUnlessFirst,
}

/// Reads the skeleton of a parsed template.
pub(super) fn read<'t, 's>(source: &'s str, template: &'t Stmt<'s>) -> Option<Spot<'t, 's>> {
    let Stmt::Template(template) = template else { return None };
    let mut lexer =
        Lexer { source, tokens: Vec::with_capacity(source.len() / 10), string: None, end: 0 };
    lexer.block(&template.children)?;
    if lexer.string.is_some() {
        return None;
    }
    let mut parser = Parser { depth: 0, tokens: lexer.tokens.into_iter().peekable() };
    let root = parser.value()?;
    parser.tokens.next().is_none().then_some(root)
}

enum Token<'t, 's> {
    Punct(u8),
    Text(Vec<Part<'t, 's>>),
    Const(Value),
    Slot { expr: &'t Expr<'s>, json: bool },
    If(&'t Expr<'s>),
    Else,
    EndIf,
    For(&'t ForLoop<'s>),
    EndFor,
    Set(&'s str, &'t Expr<'s>),
    Strip,
    EndStrip,
    CommaUnlessLast,
}

struct Lexer<'t, 's> {
    source: &'s str,
    tokens: Vec<(Token<'t, 's>, Range<usize>)>,
    /// The string being read: its parts so far, and its start.
    string: Option<(Vec<Part<'t, 's>>, usize)>,
    /// Where the last piece of text or expression ended.
    end: usize,
}

impl<'t, 's> Lexer<'t, 's> {
    fn push(&mut self, token: Token<'t, 's>, range: Range<usize>) {
        self.tokens.push((token, range));
    }

    fn block(&mut self, stmts: &'t [Stmt<'s>]) -> Option<()> {
        let mut index = 0;
        while let Some(stmt) = stmts.get(index) {
            index += 1;
            match stmt {
                Stmt::EmitRaw(raw) => self.raw(raw.raw)?,
                Stmt::EmitExpr(emit) => {
                    let span = emit.span();
                    let range = span.start_offset as usize..span.end_offset as usize;
                    self.emit(&emit.expr, range)?;
                }
                Stmt::IfCond(branch) if self.string.is_some() => {
                    let yes = self.inner_parts(&branch.true_body)?;
                    let no = self.inner_parts(&branch.false_body)?;
                    self.string.as_mut()?.0.push(Part::If(&branch.expr, yes, no));
                }
                Stmt::IfCond(branch) => {
                    let at = self.end..self.end;
                    self.push(Token::If(&branch.expr), at.clone());
                    self.whole(&branch.true_body)?;
                    self.push(Token::Else, at.clone());
                    self.whole(&branch.false_body)?;
                    self.push(Token::EndIf, at);
                }
                Stmt::ForLoop(each) if self.string.is_none() => {
                    let plain = each.filter_expr.is_none()
                        && !each.recursive
                        && each.else_body.is_empty()
                        && matches!(each.target, Expr::Var(_));
                    if !plain {
                        return None;
                    }
                    let at = self.end..self.end;
                    self.push(Token::For(each), at.clone());
                    self.whole(&each.body)?;
                    self.push(Token::EndFor, at);
                }
                Stmt::Set(set) if self.string.is_none() => match &set.target {
                    Expr::Var(var) => {
                        self.push(Token::Set(var.id, &set.expr), self.end..self.end);
                    }
                    _ => return None,
                },
                Stmt::SetBlock(capture) if self.string.is_none() && capture.filter.is_none() => {
                    let Expr::Var(var) = &capture.target else { return None };
                    let Some(Stmt::EmitExpr(emit)) = stmts.get(index) else { return None };
                    if !is_strip(&emit.expr, var.id) {
                        return None;
                    }
                    index += 1;
                    let at = self.end..self.end;
                    self.push(Token::Strip, at.clone());
                    self.whole(&capture.body)?;
                    self.push(Token::EndStrip, at);
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// A block that may not start or end inside a string.
    fn whole(&mut self, stmts: &'t [Stmt<'s>]) -> Option<()> {
        self.block(stmts)?;
        self.string.is_none().then_some(())
    }

    /// A block inside a string, as parts of it.
    fn inner_parts(&mut self, stmts: &'t [Stmt<'s>]) -> Option<Vec<Part<'t, 's>>> {
        let (parts, start) = self.string.as_mut()?;
        let (outer, start) = (std::mem::take(parts), *start);
        self.block(stmts)?;
        // Still the same string, not the next one.
        let (parts, now) = self.string.as_mut()?;
        (*now == start).then(|| std::mem::replace(parts, outer))
    }

    fn emit(&mut self, expr: &'t Expr<'s>, range: Range<usize>) -> Option<()> {
        self.end = range.end;
        let json = match expr {
            Expr::Filter(f) if matches!(f.name, "tojson" | "json") && f.args.is_empty() => {
                f.expr.as_ref()
            }
            _ => None,
        };
        if let Some((parts, _)) = &mut self.string {
            parts.push(Part::Print(expr));
            // JSON inside a string is a mistake that the text shows best.
            return json.is_none().then_some(());
        }
        match (json, expr) {
            (Some(expr), _) => self.push(Token::Slot { expr, json: true }, range),
            (None, Expr::IfExpr(choice))
                if is_loop_flag(&choice.test_expr, "last")
                    && choice.false_expr.as_ref().is_none_or(|no| is_text(no, ""))
                    && is_text(&choice.true_expr, ",") =>
            {
                self.push(Token::CommaUnlessLast, range);
            }
            (None, expr) => self.push(Token::Slot { expr, json: false }, range),
        }
        Some(())
    }

    fn raw(&mut self, raw: &'s str) -> Option<()> {
        let base = raw.as_ptr() as usize - self.source.as_ptr() as usize;
        let bytes = raw.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if let Some((parts, start)) = &mut self.string {
                let (end, closed) = string_end(bytes, at)?;
                if end > at {
                    parts.push(Part::Const(unescape(&raw[at..end])?));
                }
                at = end;
                if closed {
                    at += 1;
                    let range = *start..base + at;
                    let (parts, _) = self.string.take()?;
                    self.push(Token::Text(parts), range);
                }
                continue;
            }
            let here = base + at;
            match bytes[at] {
                b'"' => {
                    self.string = Some((Vec::new(), here));
                    at += 1;
                }
                punct @ (b'{' | b'}' | b'[' | b']' | b':' | b',') => {
                    self.push(Token::Punct(punct), here..here + 1);
                    at += 1;
                }
                b' ' | b'\t' | b'\r' | b'\n' => at += 1,
                _ => {
                    let word = |byte: &u8| {
                        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-')
                    };
                    let length = bytes[at..].iter().take_while(|byte| word(byte)).count();
                    let value = serde_json::from_str(&raw[at..at + length]).ok()?;
                    self.push(Token::Const(value), here..here + length);
                    at += length;
                }
            }
        }
        self.end = base + raw.len();
        Some(())
    }
}

/// Where the text of a string ends in this piece, and whether a quote ends it. None if the piece
/// ends in the middle of an escape.
fn string_end(bytes: &[u8], mut at: usize) -> Option<(usize, bool)> {
    loop {
        match bytes.get(at) {
            None => return Some((at, false)),
            Some(b'"') => return Some((at, true)),
            Some(b'\\') if at + 1 == bytes.len() => return None,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
    }
}

fn unescape(raw: &str) -> Option<Cow<'_, str>> {
    let plain = |byte: u8| byte >= 0x20 && byte != b'\\';
    if raw.bytes().all(plain) {
        return Some(Cow::Borrowed(raw));
    }
    serde_json::from_str(&format!("\"{raw}\"")).ok().map(Cow::Owned)
}

fn is_text(expr: &Expr<'_>, text: &str) -> bool {
    matches!(expr, Expr::Const(constant) if constant.value.as_str() == Some(text))
}

/// `not loop.last` and the like.
fn is_loop_flag(expr: &Expr<'_>, flag: &str) -> bool {
    let Expr::UnaryOp(not) = expr else { return false };
    matches!(not.op, UnaryOpKind::Not)
        && matches!(&not.expr, Expr::GetAttr(attr) if attr.name == flag
            && matches!(&attr.expr, Expr::Var(var) if var.id == "loop"))
}

/// `(_c[1:] if _c and _c[0] == ',' else _c)`.
fn is_strip(expr: &Expr<'_>, name: &str) -> bool {
    let is_name = |expr: &Expr<'_>| matches!(expr, Expr::Var(var) if var.id == name);
    let is_int = |expr: &Expr<'_>, int: i64| matches!(expr, Expr::Const(c) if i64::try_from(c.value.clone()).ok() == Some(int));
    let Expr::IfExpr(choice) = expr else { return false };
    let Expr::BinOp(both) = &choice.test_expr else { return false };
    let Expr::Slice(slice) = &choice.true_expr else { return false };
    let first_is_comma = matches!(&both.right, Expr::BinOp(equal)
        if matches!(equal.op, BinOpKind::Eq)
            && is_text(&equal.right, ",")
            && matches!(&equal.left, Expr::GetItem(item)
                if is_name(&item.expr) && is_int(&item.subscript_expr, 0)));
    is_name(&both.left)
        && first_is_comma
        && is_name(&slice.expr)
        && slice.start.as_ref().is_some_and(|start| is_int(start, 1))
        && slice.stop.is_none()
        && slice.step.is_none()
        && choice.false_expr.as_ref().is_some_and(is_name)
}

/// Deeper than any tree may be; the general engine says so.
const DEPTH: usize = 128;

struct Parser<'t, 's> {
    depth: usize,
    tokens: std::iter::Peekable<std::vec::IntoIter<(Token<'t, 's>, Range<usize>)>>,
}

impl<'t, 's> Parser<'t, 's> {
    fn value(&mut self) -> Option<Spot<'t, 's>> {
        self.depth += 1;
        let value = (self.depth <= DEPTH).then(|| self.whole_value()).flatten();
        self.depth -= 1;
        value
    }

    fn whole_value(&mut self) -> Option<Spot<'t, 's>> {
        let (token, range) = self.tokens.next()?;
        let mut end = range.end;
        let node = match token {
            Token::Punct(b'{') => {
                let items = self.list(b'}', true)?;
                end = self.close(b'}')?;
                Node::Object(items)
            }
            Token::Punct(b'[') => {
                let items = self.list(b']', false)?;
                end = self.close(b']')?;
                Node::Array(items)
            }
            Token::Text(parts) => Node::Text(parts),
            Token::Const(value) => Node::Const(value),
            Token::Slot { expr, json } => Node::Slot { expr, json },
            Token::If(test) => {
                let yes = self.value()?;
                let Token::Else = self.tokens.next()?.0 else { return None };
                let no = self.value()?;
                let Token::EndIf = self.tokens.next()?.0 else { return None };
                end = no.range.end;
                Node::If(test, Box::new(yes), Box::new(no))
            }
            _ => return None,
        };
        Some(Spot { node, range: range.start..end })
    }

    fn close(&mut self, punct: u8) -> Option<usize> {
        let (token, range) = self.tokens.next()?;
        matches!(token, Token::Punct(p) if p == punct).then_some(range.end)
    }

    /// The inside of a list or object, its commas proved right for every way through it.
    fn list(&mut self, close: u8, members: bool) -> Option<Vec<Item<'t, 's>>> {
        let items = self.items(members)?;
        matches!(self.tokens.peek()?.0, Token::Punct(p) if p == close).then_some(())?;
        let end = flow(&items, EMPTY, false)?;
        (end & AFTER_COMMA == 0).then_some(items)
    }

    fn items(&mut self, members: bool) -> Option<Vec<Item<'t, 's>>> {
        let mut items = Vec::new();
        loop {
            match &self.tokens.peek()?.0 {
                Token::Punct(b'}' | b']')
                | Token::Else
                | Token::EndIf
                | Token::EndFor
                | Token::EndStrip => return Some(items),
                Token::Punct(b',') => {
                    self.tokens.next();
                    items.push(Item::Comma);
                }
                Token::CommaUnlessLast => {
                    self.tokens.next();
                    items.push(Item::CommaUnlessLast);
                }
                Token::Set(name, expr) => {
                    items.push(Item::Set(name, expr));
                    self.tokens.next();
                }
                Token::If(test) => {
                    let test = *test;
                    self.tokens.next();
                    let yes = self.items(members)?;
                    let Token::Else = self.tokens.next()?.0 else { return None };
                    let no = self.items(members)?;
                    let Token::EndIf = self.tokens.next()?.0 else { return None };
                    let comma = matches!(yes.as_slice(), [Item::Comma]) && no.is_empty();
                    items.push(match () {
                        () if comma && is_loop_flag(test, "last") => Item::CommaUnlessLast,
                        () if comma && is_loop_flag(test, "first") => Item::CommaUnlessFirst,
                        () => Item::If(test, yes, no),
                    });
                }
                Token::For(each) => {
                    let each = *each;
                    self.tokens.next();
                    let body = self.items(members)?;
                    let Token::EndFor = self.tokens.next()?.0 else { return None };
                    items.push(Item::For(each, body));
                }
                Token::Strip => {
                    self.tokens.next();
                    let body = self.items(members)?;
                    let Token::EndStrip = self.tokens.next()?.0 else { return None };
                    items.push(Item::Strip(body));
                }
                _ if members => {
                    let (Token::Text(parts), _) = self.tokens.next()? else { return None };
                    let key = match parts.as_slice() {
                        [] => Cow::Borrowed(""),
                        [Part::Const(key)] => key.clone(),
                        _ => return None,
                    };
                    let Token::Punct(b':') = self.tokens.next()?.0 else { return None };
                    items.push(Item::One { key: Some(key), value: self.value()? });
                }
                _ => items.push(Item::One { key: None, value: self.value()? }),
            }
        }
    }
}

/// What may have come before a point in a list, as a set of bits.
type States = u8;
const EMPTY: States = 1;
const AFTER_ITEM: States = 2;
const AFTER_COMMA: States = 4;

/// Follows the commas through every way a list can be written. None if one of them is wrong.
///
/// `lead`: inside Studio's capture, where a comma may come first.
fn flow(items: &[Item<'_, '_>], mut states: States, lead: bool) -> Option<States> {
    for item in items {
        states = match item {
            Item::Set(..) => states,
            Item::One { .. } => (states & AFTER_ITEM == 0).then_some(AFTER_ITEM)?,
            Item::Comma => {
                let fine = AFTER_ITEM | if lead { EMPTY } else { 0 };
                (states & !fine == 0).then_some(AFTER_COMMA)?
            }
            Item::If(_, yes, no) => flow(yes, states, lead)? | flow(no, states, lead)?,
            Item::Strip(body) => {
                let inside = flow(body, EMPTY, true)?;
                match states {
                    _ if inside & AFTER_COMMA != 0 => return None,
                    EMPTY => inside,
                    AFTER_COMMA if inside == AFTER_ITEM => AFTER_ITEM,
                    _ => return None,
                }
            }
            Item::For(_, body) => states | each(body, states, lead)?,
            Item::CommaUnlessLast | Item::CommaUnlessFirst => return None,
        };
    }
    Some(states)
}

/// The states after one or more rounds of a loop.
fn each(body: &[Item<'_, '_>], states: States, lead: bool) -> Option<States> {
    let first = body.iter().position(|item| !matches!(item, Item::Set(..)));
    if let Some(Item::CommaUnlessLast) = body.last() {
        let body = &body[..body.len() - 1];
        let once = flow(body, states, lead)?;
        return (once == AFTER_ITEM && flow(body, AFTER_COMMA, lead)? == AFTER_ITEM)
            .then_some(once);
    }
    if let Some(first) = first.filter(|&at| matches!(body[at], Item::CommaUnlessFirst)) {
        let body = &body[first + 1..];
        let once = flow(body, states, lead)?;
        return (once == AFTER_ITEM && flow(body, AFTER_COMMA, lead)? == AFTER_ITEM)
            .then_some(once);
    }
    let mut all = states;
    loop {
        let next = all | flow(body, all, lead)?;
        if next == all {
            return Some(all);
        }
        all = next;
    }
}
