//! Values that a template prints into its JSON without `tojson`.

use std::collections::HashMap;
use std::ops::Range;

use minijinja::machinery::Span;
use minijinja::machinery::ast::{BinOpKind, CallArg, Expr, Stmt, UnaryOpKind};

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
    /// The parts of what each variable was set to.
    set: HashMap<&'s str, Vec<Range<usize>>>,
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
                        let mut parts = Vec::new();
                        self.parts(&s.expr, false, &mut parts);
                        self.set.entry(var.id).or_default().extend(parts);
                    }
                }
                Stmt::ForLoop(s) => self.body(&s.body, context),
                Stmt::IfCond(s) => {
                    let start = *context;
                    self.body(&s.true_body, context);
                    let end = std::mem::replace(context, start);
                    self.body(&s.false_body, context);
                    *context = context.join(end);
                }
                Stmt::WithBlock(s) => self.body(&s.body, context),
                Stmt::Macro(s) => self.body(&s.body, &mut JsonContext::Value),
                Stmt::CallBlock(s) => self.body(&s.macro_decl.body, &mut JsonContext::Value),
                // Studio's `_c` contains JSON; any other capture may contain text that is escaped later.
                Stmt::SetBlock(s) if matches!(&s.target, Expr::Var(var) if var.id == "_c") => {
                    self.body(&s.body, &mut JsonContext::Value);
                }
                _ => {}
            }
        }
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
                    return out.extend_from_slice(parts);
                }
            }
            Expr::GetAttr(attr) if is_counter(&attr.expr, attr.name) => return,
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
                if let Expr::GetAttr(method) = &call.expr
                    && keeps_text(method.name)
                {
                    each(&[&method.expr]);
                    return each(&arguments(&call.args));
                }
            }
            _ => {}
        }
        out.push(bytes(expr.span()));
    }
}

/// The counters of a loop.
fn is_counter(owner: &Expr<'_>, name: &str) -> bool {
    matches!(owner, Expr::Var(var) if var.id == "loop")
        && matches!(name, "index" | "index0" | "revindex" | "revindex0" | "length" | "depth")
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
        ] {
            let source = format!("{{% set n = a | int %}}[\"{{{{ {code} }}}} %\"]");
            let found = bare_prints(&jinja::parse(&source).unwrap());
            let found = found[0].parts.iter().map(|part| &source[part.clone()]);
            assert_eq!(found.collect::<Vec<_>>().join(" "), parts, "{code}");
        }
    }
}
