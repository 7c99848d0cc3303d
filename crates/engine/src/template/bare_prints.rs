//! Values that a template prints into its JSON without `tojson`.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use minijinja::machinery::Span;
use minijinja::machinery::ast::{BinOpKind, CallArg, Expr, Macro, Stmt, UnaryOpKind};

use super::rewrite::JsonContext;

/// A value printed without `tojson`.
#[derive(Debug)]
pub struct BarePrint {
    /// With its braces.
    pub range: Range<usize>,
    /// The expression alone.
    pub expr: Range<usize>,
    /// The parts of the expression that are printed verbatim: all of it if nothing is known about it, and
    /// none of a part that is always a number.
    pub parts: Vec<Range<usize>>,
    /// Inside a JSON string.
    pub in_string: bool,
}

/// The values that are printed without `tojson`.
pub(super) fn bare_prints(template: &Stmt<'_>) -> Vec<BarePrint> {
    let mut walk = Walk::default();
    if let Stmt::Template(template) = template {
        walk.body(&template.children, &mut JsonContext::Value);
    }
    walk.found
}

fn bytes(span: Span) -> Range<usize> {
    span.start_offset as usize..span.end_offset as usize
}

#[derive(Default)]
struct Walk<'s> {
    found: Vec<BarePrint>,
    /// The parts of what each variable was set to: printed as a JSON value, and into a string.
    set: HashMap<&'s str, [Vec<Range<usize>>; 2]>,
    /// Other names of a loop, as inner ones need to print the counters of outer ones.
    loops: HashSet<&'s str>,
}

impl<'s> Walk<'s> {
    fn body(&mut self, stmts: &[Stmt<'s>], context: &mut JsonContext) {
        for stmt in stmts {
            match stmt {
                Stmt::EmitRaw(s) => *context = context.after(s.raw),
                Stmt::EmitExpr(s) => {
                    let harmless = match &s.expr {
                        Expr::Filter(f) => matches!(f.name, "tojson" | "json"),
                        // Constants, such as a comma, are the author's own text.
                        Expr::IfExpr(choice) => {
                            matches!(choice.true_expr, Expr::Const(_) | Expr::Slice(_))
                        }
                        Expr::Const(_) => true,
                        // A macro, which writes its own JSON or text.
                        Expr::Call(call) => matches!(call.expr, Expr::Var(_)),
                        _ => false,
                    };
                    if !harmless && *context != JsonContext::Unknown {
                        let in_string = *context == JsonContext::String;
                        let mut parts = Vec::new();
                        self.parts(&s.expr, in_string, &mut parts);
                        let (range, expr) = (bytes(s.span()), bytes(s.expr.span()));
                        self.found.push(BarePrint { range, expr, parts, in_string });
                    }
                }
                Stmt::Set(s) => {
                    if let Expr::Var(var) = &s.target {
                        if self.is_loop(&s.expr) {
                            self.loops.insert(var.id);
                        }
                        let found = self.both(&[&s.expr]);
                        let known = self.set.entry(var.id).or_default();
                        known.iter_mut().zip(found).for_each(|(known, found)| known.extend(found));
                    }
                }
                Stmt::ForLoop(s) => {
                    let start = *context;
                    // The items of a map are its keys.
                    let items = match &s.iter {
                        Expr::Map(_) => None,
                        list => choices(list),
                    };
                    self.scoped(&[(&s.target, items)], &s.body, context);
                    let end = std::mem::replace(context, start);
                    self.body(&s.else_body, context);
                    *context = context.join(end);
                }
                Stmt::IfCond(s) => {
                    let start = *context;
                    self.body(&s.true_body, context);
                    let end = std::mem::replace(context, start);
                    self.body(&s.false_body, context);
                    *context = context.join(end);
                }
                Stmt::WithBlock(s) => {
                    let set = s.assignments.iter().map(|(target, expr)| (target, Some(vec![expr])));
                    self.scoped(&set.collect::<Vec<_>>(), &s.body, context);
                }
                Stmt::Macro(s) => self.in_macro(s),
                Stmt::CallBlock(s) => self.in_macro(&s.macro_decl),
                // Studio's `_c` contains JSON; any other capture may contain text that is escaped later.
                Stmt::SetBlock(s) if matches!(&s.target, Expr::Var(var) if var.id == "_c") => {
                    self.body(&s.body, &mut JsonContext::Value);
                }
                _ => {}
            }
        }
    }

    /// The arguments of a macro may be anything.
    fn in_macro(&mut self, decl: &Macro<'s>) {
        let args: Vec<_> = decl.args.iter().map(|arg| (arg, None)).collect();
        self.scoped(&args, &decl.body, &mut JsonContext::Value);
    }

    /// A body with variables of its own, each with the expressions that it may be, if they are known.
    fn scoped(
        &mut self,
        targets: &[(&Expr<'s>, Option<Vec<&Expr<'s>>>)],
        body: &[Stmt<'s>],
        context: &mut JsonContext,
    ) {
        let outer = self.set.clone();
        for (target, exprs) in targets {
            let names = match target {
                Expr::Tuple(list) => &list.items[..],
                Expr::List(list) => &list.items[..],
                one => std::slice::from_ref(*one),
            };
            for name in names {
                let Expr::Var(var) = name else { continue };
                self.set.remove(var.id);
                if let (Some(exprs), [_]) = (exprs, names) {
                    let found = self.both(exprs);
                    self.set.insert(var.id, found);
                }
            }
        }
        self.body(body, context);
        self.set = outer;
    }

    /// The parts of expressions printed as a JSON value, and into a string.
    fn both(&self, exprs: &[&Expr<'s>]) -> [Vec<Range<usize>>; 2] {
        [false, true].map(|in_string| {
            let mut parts = Vec::new();
            exprs.iter().for_each(|expr| self.parts(expr, in_string, &mut parts));
            parts
        })
    }

    fn is_loop(&self, expr: &Expr<'s>) -> bool {
        matches!(expr, Expr::Var(var) if var.id == "loop" || self.loops.contains(var.id))
    }

    /// Adds the parts of an expression that it prints verbatim.
    fn parts(&self, expr: &Expr<'s>, in_string: bool, out: &mut Vec<Range<usize>>) {
        let mut each = |exprs: &[&Expr<'s>]| {
            exprs.iter().for_each(|expr| self.parts(expr, in_string, out));
        };
        match expr {
            Expr::Const(text) => match text.value.as_str() {
                Some(text) if !in_string || text.contains(['"', '\\']) => {}
                _ => return,
            },
            Expr::Var(var) => {
                if let Some(parts) = self.set.get(var.id) {
                    return out.extend_from_slice(&parts[usize::from(in_string)]);
                }
            }
            Expr::GetAttr(attr) if self.is_loop(&attr.expr) && is_counter(attr.name) => return,
            Expr::GetItem(item) => {
                if let Some(values) = choices(&item.expr) {
                    return each(&values);
                }
            }
            Expr::UnaryOp(unary) if matches!(unary.op, UnaryOpKind::Neg) => return,
            Expr::BinOp(binary) => match binary.op {
                BinOpKind::Sub | BinOpKind::Div | BinOpKind::FloorDiv | BinOpKind::Pow => return,
                BinOpKind::In => {}
                _ => return each(&[&binary.left, &binary.right]),
            },
            Expr::IfExpr(choice) => {
                each(&[&choice.true_expr]);
                return each(&choice.false_expr.iter().collect::<Vec<_>>());
            }
            Expr::Filter(filter) if is_number(filter.name) => return,
            Expr::Filter(filter) if keeps_text(filter.name) => {
                each(&filter.expr.iter().collect::<Vec<_>>());
                return each(&arguments(&filter.args));
            }
            Expr::Call(call) => {
                if let Expr::GetAttr(method) = &call.expr {
                    let args = arguments(&call.args);
                    match (method.name, choices(&method.expr)) {
                        (name, _) if keeps_text(name) => {
                            each(&[&method.expr]);
                            return each(&args);
                        }
                        ("cycle", _) if self.is_loop(&method.expr) => return each(&args),
                        ("get", Some(values)) => {
                            each(&values);
                            return each(args.get(1..).unwrap_or_default());
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        out.push(bytes(expr.span()));
    }
}

/// The values of a list or map that is written out in the template, or of a range.
fn choices<'e, 's>(expr: &'e Expr<'s>) -> Option<Vec<&'e Expr<'s>>> {
    match expr {
        // Only numbers.
        Expr::Call(call) if matches!(&call.expr, Expr::Var(var) if var.id == "range") => {
            Some(Vec::new())
        }
        Expr::List(list) => Some(list.items.iter().collect()),
        Expr::Tuple(list) => Some(list.items.iter().collect()),
        Expr::Map(map) => Some(map.values.iter().collect()),
        _ => None,
    }
}

/// The counters of a loop.
fn is_counter(name: &str) -> bool {
    matches!(name, "index" | "index0" | "revindex" | "revindex0" | "length" | "depth" | "depth0")
}

/// Whether a filter always returns a number.
fn is_number(filter: &str) -> bool {
    matches!(filter, "int" | "float" | "round" | "abs" | "length" | "count" | "sum" | "wordcount")
}

/// Whether a filter or a method returns its input, and adds nothing that needs an escape.
fn keeps_text(name: &str) -> bool {
    matches!(name, "default" | "d" | "format" | "string" | "upper" | "lower" | "trim" | "strip")
}

fn arguments<'e, 's>(args: &'e [CallArg<'s>]) -> Vec<&'e Expr<'s>> {
    args.iter()
        .map(|arg| match arg {
            CallArg::Pos(expr)
            | CallArg::Kwarg(_, expr)
            | CallArg::PosSplat(expr)
            | CallArg::KwargSplat(expr) => expr,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::jinja;

    #[test]
    fn what_is_certainly_a_number_needs_no_escape() {
        for (code, parts) in [
            ("a", "a"),
            ("a.b", "a.b"),
            ("(a * 100) | round | int", ""),
            ("a * 100 + b", "a b"),
            ("a - b", ""),
            ("-a", ""),
            ("items | length", ""),
            ("loop.index0 ~ '/' ~ loop.length", ""),
            ("a.index", "a.index"),
            ("'%.1f' % a", "a"),
            ("'%.1f' | format(a)", "a"),
            ("'{:,}'.format(a, b)", "a b"),
            ("a if b else c", "a c"),
            ("a | default(0)", "a"),
            ("a ~ '\"'", "a '\"'"),
            ("a | join", "join"),
            ("a.pop()", ".pop()"),
            ("n", ""),
            ("loop.cycle('a', 'b', c)", "c"),
            ("{'a': 'b', 'c': d}[e]", "d"),
            ("['a', 'b'][c]", ""),
            ("{'a': 'b'}.get(c, d)", "d"),
            ("a.get(c, d)", ".get(c, d)"),
        ] {
            let source = format!("{{% set n = a | int %}}[\"{{{{ {code} }}}} %\"]");
            let found = bare_prints(&jinja::parse(&source).unwrap());
            let found = found[0].parts.iter().map(|part| &source[part.clone()]);
            assert_eq!(found.collect::<Vec<_>>().join(" "), parts, "{code}");
        }
    }

    #[test]
    fn variables_are_what_their_block_sets() {
        let printed = |source: &str| {
            let found = bare_prints(&jinja::parse(source).unwrap());
            let parts = found.iter().flat_map(|print| &print.parts);
            parts.map(|part| source[part.clone()].to_owned()).collect::<Vec<_>>().join(" ")
        };
        for (source, parts) in [
            (r#"{% for c in ["a", "b"] %}"{{ c }}"{% endfor %}"#, ""),
            (r#"{% set c = "a" %}"{{ c }}"{{ c }}"#, r#""a""#),
            (r#"{% for c in ["a", b] %}"{{ c }}"{% endfor %}"#, "b"),
            (r#"{% for c in ["a"] %}1{% endfor %}"{{ c }}""#, "c"),
            (r#"{% for c in range(3) %}"{{ c }}"{% endfor %}"#, ""),
            (r#"{% for c in xs %}{% set o = loop %}"{{ o.index }}"{% endfor %}"#, ""),
            (r#"{% for a, c in [["x", "y"]] %}"{{ c }}"{% endfor %}"#, "c"),
            (r#"{% for c in xs %}1{% else %}"{{ d }}"{% endfor %}"#, "d"),
            (r#"{% with n = xs | length %}"{{ n }}"{% endwith %}"{{ n }}""#, "n"),
            (r#"{% set n = 1 %}{% macro m(n) %}"{{ n }}"{% endmacro %}"#, "n"),
            (r#"{% set n = 1 %}{% for n in xs %}"{{ n }}"{% endfor %}"#, "n"),
        ] {
            assert_eq!(printed(source), parts, "{source}");
        }
    }
}
