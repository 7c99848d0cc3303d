//! The tokens of a skeleton: those of JSON, and the statements and expressions of Jinja among them.

use std::borrow::Cow;
use std::ops::Range;

use minijinja::machinery::ast::{BinOpKind, Expr, ForLoop, Stmt, UnaryOpKind};
use serde_json::Value;

use super::node::Part;

pub(super) enum Token<'t, 's> {
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

/// A token and its range of the template.
pub(super) type Spanned<'t, 's> = (Token<'t, 's>, Range<usize>);

/// The tokens of a template; none if there is something that a skeleton cannot have.
pub(super) fn tokens<'t, 's>(
    source: &'s str,
    template: &'t [Stmt<'s>],
) -> Option<Vec<Spanned<'t, 's>>> {
    let tokens = Vec::with_capacity(source.len() / 10);
    let mut lexer = Lexer { source, tokens, string: None, end: 0, odd: None };
    lexer.block(template)?;
    lexer.string.is_none().then_some(lexer.tokens)
}

/// The offset of the first constant part that is no token of JSON.
pub(super) fn first_odd(source: &str, template: &[Stmt<'_>]) -> Option<usize> {
    let mut lexer = Lexer { source, tokens: Vec::new(), string: None, end: 0, odd: None };
    let _ = lexer.block(template);
    lexer.odd
}

struct Lexer<'t, 's> {
    source: &'s str,
    tokens: Vec<Spanned<'t, 's>>,
    /// The string being read: its parts so far, and its start.
    string: Option<(Vec<Part<'t, 's>>, usize)>,
    /// Where the last piece of text or expression ended.
    end: usize,
    /// Where the constant part stands that is no token of JSON.
    odd: Option<usize>,
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
                Stmt::ForLoop(each) if self.string.is_some() => {
                    self.inner_parts(&each.body)?;
                    self.inner_parts(&each.else_body)?;
                    self.string.as_mut()?.0.push(Part::Other);
                }
                Stmt::Set(_) if self.string.is_some() => {
                    self.string.as_mut()?.0.push(Part::Other);
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
                    if !each.else_body.is_empty() {
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
        // The block must not end this string and begin another.
        let (parts, now) = self.string.as_mut()?;
        (*now == start).then(|| std::mem::replace(parts, outer))
    }

    fn emit(&mut self, expr: &'t Expr<'s>, range: Range<usize>) -> Option<()> {
        self.end = range.end;
        let json = json_operand(expr);
        if let Some((parts, _)) = &mut self.string {
            parts.push(Part::Print(expr));
            // JSON printed inside a string is a mistake; the general engine reports it.
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
                    let Ok(value) = serde_json::from_str(&raw[at..at + length]) else {
                        self.odd = Some(here);
                        return None;
                    };
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

/// What is printed with `tojson`, if it is.
pub(in crate::template) fn json_operand<'t, 's>(expr: &'t Expr<'s>) -> Option<&'t Expr<'s>> {
    match expr {
        Expr::Filter(f) if matches!(f.name, "tojson" | "json") && f.args.is_empty() => {
            f.expr.as_ref()
        }
        _ => None,
    }
}

fn is_text(expr: &Expr<'_>, text: &str) -> bool {
    matches!(expr, Expr::Const(constant) if constant.value.as_str() == Some(text))
}

/// `not loop.last` and the like.
pub(super) fn is_loop_flag(expr: &Expr<'_>, flag: &str) -> bool {
    let Expr::UnaryOp(not) = expr else { return false };
    matches!(not.op, UnaryOpKind::Not)
        && matches!(&not.expr, Expr::GetAttr(attr) if attr.name == flag
            && matches!(&attr.expr, Expr::Var(var) if var.id == "loop"))
}

/// `(_c[1:] if _c and _c[0] == ',' else _c)`.
pub(in crate::template) fn is_strip(expr: &Expr<'_>, name: &str) -> bool {
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
