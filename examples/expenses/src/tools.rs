//! The handlers of the expense server.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use widgetcast::handler::Typed;
use widgetcast::{Caller, Ctx, Data, State, ToolError};

use crate::db::{Db, Expense};

const PAGE: i64 = 10;
/// Approving this amount or more requires a confirmation.
const LARGE_CENTS: i64 = 100_000;

/// Lists expenses, newest first, ten per page.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct ListInput {
    /// Page number, starting at 1
    #[serde(default = "first")]
    #[schemars(range(min = 1))]
    page: i64,
}

fn first() -> i64 {
    1
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct ExpensePage {
    expenses: Vec<Expense>,
    page: i64,
    pages: i64,
}

/// Shows one expense with all its details.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct ById {
    /// Expense number
    expense: i64,
}

/// Files an expense for the caller.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct NewExpense {
    /// Purpose of the expense
    #[schemars(length(max = 80))]
    purpose: String,
    /// Amount in cents
    #[schemars(range(min = 1))]
    cents: i64,
}

/// Approves or rejects an expense. This cannot be undone.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Decision {
    /// Expense number
    expense: i64,
    approve: bool,
}

/// The form that confirms a large amount.
#[derive(Deserialize, JsonSchema)]
struct Confirm {
    /// The receipt was checked
    checked: bool,
}

pub(crate) async fn list(
    State(db): State<Db>,
    input: ListInput,
) -> Result<Data<ExpensePage>, ToolError> {
    let pages = (db.count().await? + PAGE - 1) / PAGE;
    Ok(Data(ExpensePage { expenses: db.page(input.page, PAGE).await?, page: input.page, pages }))
}

pub(crate) async fn show(State(db): State<Db>, by: ById) -> Result<Data<Expense>, ToolError> {
    Ok(Data(find(&db, by.expense).await?))
}

pub(crate) async fn file(
    State(db): State<Db>,
    caller: Caller,
    new: NewExpense,
) -> Result<(String, Data<Expense>), ToolError> {
    let purpose = new.purpose.trim();
    if purpose.is_empty() {
        return Err(ToolError::public("say what it was for").field("/purpose", "is empty"));
    }
    let expense = db.file(caller.subject(), purpose, new.cents).await?;
    Ok((format!("Expense {} is filed", expense.id), Data(expense)))
}

pub(crate) async fn decide(
    ctx: Ctx,
    State(db): State<Db>,
    caller: Caller,
    decision: Decision,
) -> Result<(String, Data<Expense>), ToolError> {
    // Everything before the elicitation may run twice, so it must not change anything.
    let expense = find(&db, decision.expense).await?;
    if expense.employee == caller.subject() {
        return Err("you cannot decide about your own expenses".into());
    }
    if decision.approve && expense.cents >= LARGE_CENTS {
        let question = format!("Approve {} for {}?", expense.amount, expense.purpose);
        let answer = ctx.elicit::<Confirm>(question).await?;
        if !answer.is_some_and(|confirm| confirm.checked) {
            return Err("not approved: check the receipt first".into());
        }
    }
    let status = if decision.approve { "approved" } else { "rejected" };
    let decided = db.decide(expense.id, status).await?;
    let decided = decided.ok_or_else(|| ToolError::public("this expense is already decided"))?;
    Ok((format!("Expense {} is {status}", decided.id), Data(decided)))
}

/// Clients that support tasks poll for the result. A cancelled call is dropped at the next `await`.
pub(crate) async fn export(ctx: Ctx, State(db): State<Db>) -> Result<String, ToolError> {
    let pages = (db.count().await? + PAGE - 1) / PAGE;
    let mut csv = "id,employee,purpose,cents,status\n".to_owned();
    for page in 1..=pages {
        for one in db.page(page, PAGE).await? {
            let Expense { id, employee, purpose, cents, status, .. } = one;
            let purpose = purpose.replace('"', "\"\"");
            csv += &format!("{id},{employee},\"{purpose}\",{cents},{status}\n");
        }
        ctx.progress((page, pages), "pages").await;
    }
    Ok(csv)
}

/// The resource `expense://{expense}`.
pub(crate) async fn text(State(db): State<Db>, by: ById) -> Result<Option<String>, ToolError> {
    let found = db.get(by.expense).await?;
    Ok(found.map(|one| format!("# {}\n\n{} by {}\n", one.purpose, one.amount, one.employee)))
}

/// Open expenses, for `resources/list`.
pub(crate) async fn open(State(db): State<Db>) -> Result<Vec<(String, String)>, ToolError> {
    let open = db.open_ones().await?.into_iter();
    Ok(open.map(|one| (format!("expense://{}", one.id), one.purpose)).collect())
}

/// Completes the numbers of open expenses while the user types.
pub(crate) async fn ids(State(db): State<Db>, typed: Typed) -> Result<Vec<String>, ToolError> {
    let ids = db.open_ones().await?.into_iter().map(|one| one.id.to_string());
    Ok(ids.filter(|id| id.starts_with(&typed.value)).collect())
}

/// The prompt `review`.
pub(crate) async fn review(State(db): State<Db>, by: ById) -> Result<String, ToolError> {
    let Expense { purpose, amount, .. } = find(&db, by.expense).await?;
    Ok(format!("Is {amount} a fair price for this? {purpose}"))
}

async fn find(db: &Db, id: i64) -> Result<Expense, ToolError> {
    let unknown = || ToolError::public("unknown expense").field("/expense", "does not exist");
    db.get(id).await?.ok_or_else(unknown)
}
