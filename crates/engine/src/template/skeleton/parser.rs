//! From tokens to the values of a skeleton.

use std::borrow::Cow;

use super::commas::{WrongComma, are_right, repair};
use super::lexer::{Spanned, Token, is_loop_flag};
use super::node::{Item, Part, Round, Skeleton, SkeletonNode};

/// Deeper than any tree may be; the general engine reports it.
const DEPTH: usize = 128;

/// Parses all tokens as one value.
pub(super) fn parse<'t, 's>(tokens: Vec<Spanned<'t, 's>>) -> Option<Skeleton<'t, 's>> {
    let mut parser = Parser { depth: 0, wrong: None, tokens: tokens.into_iter().peekable() };
    let root = parser.value()?;
    parser.tokens.next().is_none().then_some(root)
}

/// The commas that keep the tokens from being one value, with their repairs; none if there is more
/// wrong than that.
pub(super) fn wrong_commas(source: &str, tokens: Vec<Spanned<'_, '_>>) -> Option<Vec<WrongComma>> {
    let wrong = Some((source, Vec::new()));
    let mut parser = Parser { depth: 0, wrong, tokens: tokens.into_iter().peekable() };
    parser.value()?;
    parser.tokens.next().is_none().then_some(())?;
    parser.wrong.map(|(_, found)| found)
}

struct Parser<'t, 's, 'w> {
    depth: usize,
    /// The template and its wrong commas so far, if they are to be repaired.
    wrong: Option<(&'w str, Vec<WrongComma>)>,
    tokens: std::iter::Peekable<std::vec::IntoIter<Spanned<'t, 's>>>,
}

impl<'t, 's> Parser<'t, 's, '_> {
    fn value(&mut self) -> Option<Skeleton<'t, 's>> {
        self.depth += 1;
        let value = (self.depth <= DEPTH).then(|| self.whole_value()).flatten();
        self.depth -= 1;
        value
    }

    fn whole_value(&mut self) -> Option<Skeleton<'t, 's>> {
        let (token, range) = self.tokens.next()?;
        let mut end = range.end;
        let node = match token {
            Token::Punct(b'{') => {
                let items = self.list(b'}', true)?;
                end = self.close(b'}')?;
                SkeletonNode::Object(items)
            }
            Token::Punct(b'[') => {
                let items = self.list(b']', false)?;
                end = self.close(b']')?;
                SkeletonNode::Array(items)
            }
            Token::Text(parts) => SkeletonNode::Text(parts),
            Token::Const(value) => SkeletonNode::Const(value),
            Token::Slot { expr, json } => SkeletonNode::Slot { expr, json },
            Token::If(test) => {
                let yes = self.value()?;
                let Token::Else = self.tokens.next()?.0 else { return None };
                let no = self.value()?;
                let Token::EndIf = self.tokens.next()?.0 else { return None };
                end = no.range.end;
                SkeletonNode::If(test, Box::new(yes), Box::new(no))
            }
            _ => return None,
        };
        Some(Skeleton { node, range: range.start..end })
    }

    fn close(&mut self, punct: u8) -> Option<usize> {
        let (token, range) = self.tokens.next()?;
        matches!(token, Token::Punct(p) if p == punct).then_some(range.end)
    }

    /// The inside of a list or object; none if a comma can be wrong.
    fn list(&mut self, close: u8, members: bool) -> Option<Vec<Item<'t, 's>>> {
        let mut items = self.items(members)?;
        matches!(self.tokens.peek()?.0, Token::Punct(p) if p == close).then_some(())?;
        if !are_right(&items) {
            let (source, found) = self.wrong.as_mut()?;
            found.extend(repair(&mut items, source, members)?);
        }
        Some(items)
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
                    let at = self.tokens.next()?.1.start;
                    items.push(Item::Comma(at));
                }
                Token::CommaUnlessLast => {
                    // Behind the braces that begin the code.
                    let at = self.tokens.next()?.1.start + 2;
                    items.push(Item::CommaUnless(Round::Last, at));
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
                    let comma = match yes.as_slice() {
                        [Item::Comma(at)] if no.is_empty() => Some(*at),
                        _ => None,
                    };
                    items.push(match comma {
                        Some(at) if is_loop_flag(test, "last") => {
                            Item::CommaUnless(Round::Last, at)
                        }
                        Some(at) if is_loop_flag(test, "first") => {
                            Item::CommaUnless(Round::First, at)
                        }
                        _ => Item::If(test, yes, no),
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
