//! What a model and a user can do with expenses.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use widgetcast::handler::Typed;
use widgetcast::{Caller, Ctx, Data, State, ToolError};

use crate::db::{Db, Expense};

const PAGE: i64 = 10;
/// From here on an approval needs a second look.
const LARGE_CENTS: i64 = 100_000;

/// Expenses, the newest first, ten on a page.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct ListInput {
    /// The page, from 1
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

/// One expense, with all that is known of it.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct ById {
    /// The number of the expense
    expense: i64,
}

/// Files an expense for whoever asks.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct NewExpense {
    /// What the money was for
    #[schemars(length(max = 80))]
    purpose: String,
    /// How much, in cents
    #[schemars(range(min = 1))]
    cents: i64,
}

/// Approves or rejects an expense, for good.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Decision {
    /// The number of the expense
    expense: i64,
    approve: bool,
}

/// What an approver is asked about a large amount.
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
    // What comes before the question runs twice, and changes nothing.
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
    let decided = decided.ok_or_else(|| ToolError::public("it was decided before"))?;
    Ok((format!("Expense {} is {status}", decided.id), Data(decided)))
}

/// A client that takes tasks need not wait; one that cancels ends it where it waits.
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

/// The open ones, for `resources/list`.
pub(crate) async fn open(State(db): State<Db>) -> Result<Vec<(String, String)>, ToolError> {
    let open = db.open_ones().await?.into_iter();
    Ok(open.map(|one| (format!("expense://{}", one.id), one.purpose)).collect())
}

/// Numbers of open expenses, while a user types one.
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
    let unknown =
        || ToolError::public("there is no such expense").field("/expense", "is not known");
    db.get(id).await?.ok_or_else(unknown)
}
