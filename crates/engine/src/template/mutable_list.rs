//! Lists that a template can change.

use std::sync::{Arc, Mutex, PoisonError};

use minijinja::value::{Enumerator, Object, ObjectRepr, ValueKind};
use minijinja::{Error as Fault, ErrorKind, State, Value};

use super::meter::too_large;
use crate::limits::Limits;

/// A list literal of a template, with `append`, `extend` and `pop`: an idiom of hand-written
/// templates that Jinja2 on Python allows. Lists that go in are copied, so that none can hold itself.
#[derive(Debug)]
pub(super) struct MutableList(Mutex<Vec<Value>>);

impl Object for MutableList {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.items().get(key.as_usize()?).cloned()
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.items().len())
    }

    fn call_method(
        self: &Arc<Self>,
        _: &mut State<'_, '_>,
        method: &str,
        args: &[Value],
    ) -> Result<Value, Fault> {
        let room = |items: &Vec<Value>, more: usize| {
            if items.len() + more > Limits::VALUES {
                return Err(too_large());
            }
            Ok(())
        };
        match (method, args) {
            ("append", [item]) => {
                // Copied before the lock is taken: the item may be this very list.
                let item = frozen(item);
                let mut items = self.items();
                room(&items, 1)?;
                items.push(item);
                Ok(Value::from(()))
            }
            ("extend", [more]) => {
                let more: Vec<Value> = more.try_iter()?.map(|item| frozen(&item)).collect();
                let mut items = self.items();
                room(&items, more.len())?;
                items.extend(more);
                Ok(Value::from(()))
            }
            ("pop", []) => Ok(self.items().pop().unwrap_or(Value::UNDEFINED)),
            _ => Err(ErrorKind::UnknownMethod.into()),
        }
    }
}

/// A copy of a mutable list; any other value as it is.
fn frozen(value: &Value) -> Value {
    match value.downcast_object_ref::<MutableList>() {
        Some(list) => Value::from(list.items().clone()),
        None => value.clone(),
    }
}

impl MutableList {
    /// A list literal that can be changed; any other value as it is.
    pub(super) fn wrap(value: Value) -> Result<Value, Fault> {
        if value.kind() != ValueKind::Seq || value.is_tuple() {
            return Ok(value);
        }
        let items = value.try_iter()?.map(|item| frozen(&item)).collect();
        Ok(Value::from_object(Self(Mutex::new(items))))
    }

    fn items(&self) -> std::sync::MutexGuard<'_, Vec<Value>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
