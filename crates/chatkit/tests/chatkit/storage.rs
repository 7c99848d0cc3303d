//! What a storage keeps, and for whom, on both databases.

use std::sync::Arc;

use futures_util::FutureExt as _;
use serde_json::json;
use widgetcast::{Caller, Workers};
use widgetcast_chatkit::protocol::request::FeedbackKind;
use widgetcast_chatkit::protocol::{Item, Order, Page, ThreadMetadata};
use widgetcast_chatkit::{
    Deleted, ItemText, OwnedAttachment, Owner, PageRequest, RetentionLimits, Storage, StorageError,
    StoredItem,
};

use crate::servers;

fn owner(name: &str) -> Owner {
    Owner::caller(&Caller::new(name))
}

fn thread(id: &str, title: &str) -> ThreadMetadata {
    let created_at = "2026-11-14T12:00:00Z".to_owned();
    ThreadMetadata { id: id.into(), title: Some(title.into()), created_at, ..Default::default() }
}

/// An item as it is stored.
fn item(thread: &str, id: &str, text: &str) -> StoredItem {
    stored(plain(thread, id, text)).unwrap()
}

fn stored(item: Item) -> Result<StoredItem, StorageError> {
    let workers = Workers::default();
    let write = move |budgeted| StoredItem::write(&item, budgeted);
    workers.finish(0, write).now_or_never().flatten().expect("short work is done at once")
}

/// The items of a page.
async fn read(page: Page<ItemText>) -> Page<Item> {
    page.read(&Workers::default()).await.unwrap()
}

async fn text(item: ItemText) -> String {
    item.read(&Workers::default()).await.unwrap().text()
}

fn plain(thread: &str, id: &str, text: &str) -> Item {
    let kind = match id.starts_with('h') {
        true => json!({ "type": "hidden_context_item", "content": { "text": text } }),
        false => {
            json!({ "type": "assistant_message", "content": [{ "type": "output_text", "text": text }] })
        }
    };
    Item {
        id: id.into(),
        thread_id: thread.into(),
        created_at: "2026-11-14T12:00:00Z".into(),
        kind: serde_json::from_value(kind).unwrap(),
    }
}

fn first(limit: usize, order: Order) -> PageRequest {
    PageRequest { after: None, limit, order }
}

/// Both databases, each with names of this test's own.
async fn each(test: impl AsyncFn(Arc<dyn Storage>)) {
    let dir = tempfile::tempdir().unwrap();
    test(crate::stage::storage(dir.path()).await).await;
    // One after the other: what expires is that of all owners.
    static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
    if let Some(server) = servers::postgres() {
        let _alone = ALONE.lock().await;
        let url = format!("postgres://postgres@127.0.0.1:{}/postgres", server.port);
        test(widgetcast_chatkit::open(&url).await.unwrap()).await;
    }
}

#[tokio::test]
async fn items_come_in_pages_in_the_order_they_came() {
    each(async |storage| {
        let ada = owner("pages");
        let all: Vec<StoredItem> = ["a", "h1", "b", "c", "d"].map(|id| item("tp", id, id)).into();
        assert_eq!(storage.save_items(&ada, all.clone()).await, Err(StorageError::NotFound));
        storage.create_thread(&ada, "", &thread("tp", "T"), all).await.unwrap();
        let ids = async |of: PageRequest, hidden| {
            let page = read(storage.items(&ada, "tp", of, hidden).await.unwrap()).await;
            let ids: Vec<String> = page.data.iter().map(|item| item.id.clone()).collect();
            (ids.join(""), page.has_more, page.after)
        };
        assert_eq!(ids(first(9, Order::Asc), false).await, ("abcd".into(), false, None));
        assert_eq!(ids(first(9, Order::Asc), true).await.0, "ah1bcd");
        assert_eq!(ids(first(4, Order::Asc), false).await, ("abcd".into(), false, None));
        assert_eq!(ids(first(3, Order::Desc), false).await, ("dcb".into(), true, Some("b".into())));
        let next = PageRequest { after: Some("b".into()), ..first(3, Order::Desc) };
        assert_eq!(ids(next, false).await, ("a".into(), false, None));
        let next = PageRequest { after: Some("b".into()), ..first(1, Order::Asc) };
        assert_eq!(ids(next, false).await, ("c".into(), true, Some("c".into())));

        // What is there stays in its place, and is not doubled.
        storage.save_items(&ada, vec![item("tp", "b", "other")]).await.unwrap();
        assert_eq!(ids(first(9, Order::Asc), false).await.0, "abcd");
        assert_eq!(text(storage.item(&ada, "tp", "b").await.unwrap()).await, "other");
        let unfinished = vec![item("tp", "b", "half"), item("tp", "e", "half")];
        storage.save_unfinished(&ada, unfinished).await.unwrap();
        assert_eq!(text(storage.item(&ada, "tp", "b").await.unwrap()).await, "other");
        assert_eq!(ids(first(9, Order::Asc), false).await.0, "abcde");

        storage.save_feedback(&ada, "tp", &["c".into()], FeedbackKind::Positive).await.unwrap();
        storage.delete_items_after(&ada, "tp", "b").await.unwrap();
        assert_eq!(ids(first(9, Order::Asc), true).await.0, "ah1b");
        assert_eq!(storage.export(&ada).await.unwrap()["threads"][0]["feedback"], json!([]));
        storage.delete_item(&ada, "tp", "a").await.unwrap();
        assert_eq!(ids(first(9, Order::Asc), false).await.0, "b");
    })
    .await;
}

#[tokio::test]
async fn what_belongs_to_another_is_not_there() {
    each(async |storage| {
        let (ada, eve) = (owner("mine"), owner("eve"));
        storage
            .create_thread(&ada, "", &thread("tm", "Mine"), vec![item("tm", "a", "secret")])
            .await
            .unwrap();
        let gone = Err(StorageError::NotFound);
        assert_eq!(storage.thread(&eve, "tm").await.map(|_| ()), gone);
        assert_eq!(storage.item(&eve, "tm", "a").await.map(|_| ()), gone);
        assert_eq!(storage.save_thread(&eve, &thread("tm", "Hers")).await, gone);
        assert_eq!(storage.save_items(&eve, vec![item("tm", "x", "x")]).await, gone);
        storage.save_unfinished(&eve, vec![item("tm", "x", "x")]).await.unwrap();
        storage.delete_item(&eve, "tm", "a").await.unwrap();
        storage.delete_items_after(&eve, "tm", "a").await.unwrap();
        storage.save_feedback(&eve, "tm", &["a".into()], FeedbackKind::Negative).await.unwrap();
        storage.delete_thread(&eve, "tm").await.unwrap();
        let items = storage.items(&eve, "tm", first(9, Order::Asc), true).await.unwrap();
        assert_eq!(items.data, []);
        assert_eq!(storage.threads(&eve, first(9, Order::Asc)).await.unwrap().data, []);
        assert_eq!(storage.search(&eve, "secret", 9, &Workers::default()).await.unwrap(), []);
        assert_eq!(storage.export(&eve).await.unwrap()["threads"], json!([]));
        assert_eq!(storage.delete_all(&eve).await.unwrap(), Deleted::default());
        assert_eq!(storage.thread(&ada, "tm").await.unwrap().title.as_deref(), Some("Mine"));
        assert_eq!(
            storage.items(&ada, "tm", first(9, Order::Asc), true).await.unwrap().data.len(),
            1
        );
    })
    .await;
}

#[tokio::test]
async fn what_could_not_be_read_again_is_not_kept() {
    each(async |storage| {
        let ada = owner("deep");
        storage
            .create_thread(&ada, "", &thread("td", "T"), vec![item("td", "a", "x")])
            .await
            .unwrap();
        let deep = |levels: usize| {
            let nested = (0..levels).fold(json!(1), |inner, _| json!([inner]));
            let kind = json!({ "type": "hidden_context_item", "content": nested });
            stored(Item { kind: serde_json::from_value(kind).unwrap(), ..plain("td", "h1", "") })
        };
        for levels in [126, 200] {
            assert_eq!(deep(levels).unwrap_err(), StorageError::TooDeep, "{levels}");
        }
        storage.save_items(&ada, vec![deep(100).unwrap()]).await.unwrap();
        let all = storage.items(&ada, "td", first(9, Order::Asc), true).await.unwrap();
        assert_eq!(read(all).await.data.len(), 2, "the thread can be read");
    })
    .await;
}

#[tokio::test]
async fn pages_end_at_so_many_bytes() {
    each(async |storage| {
        let ada = owner("large");
        let large = "x".repeat(3 << 20);
        let all: Vec<StoredItem> =
            ["a", "b", "c", "d", "e"].map(|id| item("tl", id, &large)).into();
        storage.create_thread(&ada, "", &thread("tl", "T"), all).await.unwrap();
        let names: Vec<String> = (0..200).map(|n| format!("s{n:03}")).collect();
        let many: Vec<StoredItem> = names.iter().map(|name| item("tl", name, "x")).collect();
        storage.save_items(&ada, many).await.unwrap();
        for order in [Order::Asc, Order::Desc] {
            let (mut ids, mut after, mut pages) = (Vec::new(), None, 0);
            loop {
                let of = PageRequest { after, ..first(9999, order) };
                let page = read(storage.items(&ada, "tl", of, true).await.unwrap()).await;
                let bytes: usize = page.data.iter().map(|item| item.text().len()).sum();
                assert!(bytes < 1 << 20 || page.data.len() == 1, "{bytes}");
                ids.extend(page.data.into_iter().map(|item| item.id));
                (after, pages) = (page.after, pages + 1);
                if !page.has_more {
                    break;
                }
            }
            let mut wanted = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
            wanted.extend(names.iter().cloned());
            if order == Order::Desc {
                wanted.reverse();
            }
            assert!(pages >= 6, "{pages}");
            assert_eq!(ids, wanted);
        }
    })
    .await;
}

#[tokio::test]
async fn of_several_claims_at_once_one_is_new() {
    each(async |storage| {
        let ada = owner("claims");
        let lost = storage.claim(&ada, item("tc", "h1", "x"), vec![]).await;
        assert_eq!(lost, Ok(false), "there is no thread");
        storage
            .create_thread(&ada, "", &thread("tc", "T"), vec![item("tc", "a", "0")])
            .await
            .unwrap();
        let claims = (1..=8).map(|number| {
            let (storage, ada) = (Arc::clone(&storage), ada.clone());
            tokio::spawn(async move {
                let text = number.to_string();
                let with = vec![item("tc", "a", &text)];
                let is_new = storage.claim(&ada, item("tc", "h1", &text), with).await.unwrap();
                is_new.then_some(text)
            })
        });
        let mut won = Vec::new();
        for claim in claims.collect::<Vec<_>>() {
            won.extend(claim.await.unwrap());
        }
        assert_eq!(won.len(), 1, "{won:?}");
        // What came with the others is not there.
        assert_eq!(text(storage.item(&ada, "tc", "a").await.unwrap()).await, won[0]);
        let eve = owner("claims-eve");
        assert_eq!(storage.claim(&eve, item("tc", "h2", "x"), vec![]).await, Ok(false));
    })
    .await;
}

/// The answer to a commit may be lost on its way: then the same is written once more.
#[tokio::test]
async fn what_is_written_twice_is_there_once() {
    each(async |storage| {
        let ada = owner("twice");
        let made = thread("tw", "T");
        let (claim, with) = (item("tw", "h1", "mine"), vec![item("tw", "b", "with")]);
        for _ in 0..2 {
            storage.create_thread(&ada, "", &made, vec![item("tw", "a", "first")]).await.unwrap();
            assert_eq!(storage.add_item(&ada, item("tw", "m", "hello"), 9).await, Ok(true));
            assert_eq!(storage.claim(&ada, claim.clone(), with.clone()).await, Ok(true));
            // Of a file, nothing counts twice, either.
            assert_eq!(
                storage.create_attachment(&ada, &file("fw", FILE), FILE, FILE).await,
                Ok(true)
            );
        }
        let other =
            storage.claim(&ada, item("tw", "h1", "theirs"), vec![item("tw", "b", "x")]).await;
        assert_eq!(other, Ok(false));
        let page = read(storage.items(&ada, "tw", first(9, Order::Asc), true).await.unwrap()).await;
        let texts: Vec<(String, String)> =
            page.data.iter().map(|item| (item.id.clone(), item.text())).collect();
        let expected = [("a", "first"), ("m", "hello"), ("h1", ""), ("b", "with")];
        assert_eq!(texts, expected.map(|(id, text)| (id.to_owned(), text.to_owned())));
        storage.delete_all(&ada).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_deleted_thread_does_not_come_back() {
    each(async |storage| {
        let ada = owner("back");
        storage.create_thread(&ada, "", &thread("tb", "T"), vec![]).await.unwrap();
        storage.save_thread(&ada, &thread("tb", "New")).await.unwrap();
        assert_eq!(storage.thread(&ada, "tb").await.unwrap().title.as_deref(), Some("New"));
        storage.delete_thread(&ada, "tb").await.unwrap();
        let gone = Err(StorageError::NotFound);
        assert_eq!(storage.save_thread(&ada, &thread("tb", "Again")).await, gone);
        assert_eq!(storage.thread(&ada, "tb").await.map(|_| ()), gone);
    })
    .await;
}

/// All connections of the pool are of before the restart, and no one notices.
#[tokio::test]
async fn a_restart_of_the_database_fails_no_request() {
    let Some(server) = servers::postgres() else { return };
    let url = |name| format!("postgres://postgres@127.0.0.1:{}/{name}", server.port);
    let pool = sqlx::PgPool::connect(&url("postgres")).await.unwrap();
    sqlx::query("CREATE DATABASE restarted").execute(&pool).await.unwrap();
    let storage = widgetcast_chatkit::open(&url("restarted")).await.unwrap();
    let ada = owner("restarted");
    storage.create_thread(&ada, "", &thread("tr", "T"), vec![]).await.unwrap();
    let all = || futures_util::future::join_all((0..50).map(|_| storage.thread(&ada, "tr")));
    assert!(all().await.iter().all(Result::is_ok));
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'restarted'";
    let ended = sqlx::query(end).execute(&pool).await.unwrap().rows_affected();
    assert!(ended > 3, "{ended}");
    storage.save_items(&ada, vec![item("tr", "a", "x")]).await.unwrap();
    for found in all().await {
        found.unwrap();
    }
}

/// What is being written to a thread while that is deleted goes with it.
/// Lists of threads end at so many bytes, too, and go on from there.
#[tokio::test]
async fn lists_of_threads_end_at_so_many_bytes() {
    each(async |storage| {
        let ada = owner("lists");
        let title = "x".repeat(300 << 10);
        let ids: Vec<String> = (0..9).map(|n| format!("t{n}")).collect();
        for id in &ids {
            storage.create_thread(&ada, "", &thread(id, &title), vec![]).await.unwrap();
        }
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let of = PageRequest { after, ..first(9999, Order::Asc) };
            let page = storage.threads(&ada, of).await.unwrap();
            assert!((1..=4).contains(&page.data.len()), "{}", page.data.len());
            found.extend(page.data.into_iter().map(|thread| thread.id));
            after = page.after;
            if !page.has_more {
                break;
            }
        }
        assert_eq!(found, ids);
    })
    .await;
}

#[tokio::test]
async fn nothing_is_left_of_a_deleted_thread() {
    each(async |storage| {
        let ada = owner("deletes");
        let items: Vec<StoredItem> =
            (0..20).map(|n| item("td", &format!("i{n}"), "text")).collect();
        let made = thread("td", "T");
        for _ in 0..20 {
            storage.create_thread(&ada, "", &made, vec![]).await.unwrap();
            let (saved, deleted) = tokio::join!(
                storage.save_items(&ada, items.clone()),
                storage.delete_thread(&ada, "td")
            );
            deleted.unwrap();
            assert!(matches!(saved, Ok(()) | Err(StorageError::NotFound)), "{saved:?}");
            storage.create_thread(&ada, "", &made, vec![]).await.unwrap();
            let left = storage.items(&ada, "td", first(99, Order::Asc), true).await.unwrap();
            assert_eq!(left.data.len(), 0);
            storage.delete_thread(&ada, "td").await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn texts_are_found_whatever_they_have_in_them() {
    each(async |storage| {
        let ada = owner("search");
        let texts = ["Flug nach ZÜRICH um 50%", "a_b \\ c", "nul \0 here"];
        for (number, text) in texts.iter().enumerate() {
            let id = format!("ts{number}");
            let items = vec![item(&id, "a", text), item(&id, "h", "verborgen")];
            storage.create_thread(&ada, "", &thread(&id, "Title Nr"), items).await.unwrap();
        }
        let found = async |text: &str| {
            let found = storage.search(&ada, text, 9, &Workers::default()).await.unwrap();
            found.iter().map(|found| found.thread.id.clone()).collect::<Vec<String>>().join(" ")
        };
        assert_eq!(found("zürich").await, "ts0");
        assert_eq!(found("50%").await, "ts0");
        assert_eq!(found("A_B \\").await, "ts1");
        assert_eq!(found("%").await, "ts0");
        assert_eq!(found("verborgen").await, "");
        assert_eq!(found("title nr").await.split(' ').count(), 3);
        let hit = &storage.search(&ada, "zürich", 9, &Workers::default()).await.unwrap()[0];
        assert_eq!(hit.snippet, "Flug nach ZÜRICH um 50%");
    })
    .await;
}

#[tokio::test]
async fn attachments_threads_and_all_of_a_subject() {
    each(async |storage| {
        let (ada, bob) = (owner("files"), owner("files-of-bob"));
        let attachment = serde_json::from_value(json!({
            "type": "file", "id": "af1", "name": "n.txt", "mime_type": "text/plain", "thread_id": "tf",
        }));
        let kept = OwnedAttachment { attachment: attachment.unwrap(), size: FILE, token: "tok".into() };
        storage.create_thread(&ada, "", &thread("tf", "T"), vec![item("tf", "a", "x")]).await.unwrap();
        assert_eq!(storage.create_attachment(&ada, &kept, FILE - 1, 0).await, Ok(false));
        assert_eq!(storage.create_attachment(&ada, &kept, FILE, 0).await, Ok(true));
        storage.send_attachment(&ada, &kept.attachment).await.unwrap();
        let lost = storage.send_attachment(&bob, &kept.attachment).await;
        assert_eq!(lost, Err(StorageError::NotFound));
        assert_eq!(storage.blob(&ada, "af1").await, Err(StorageError::NotFound));
        assert_eq!(storage.attachment_by_token("af1", "").await, Err(StorageError::NotFound));
        assert_eq!(storage.attachment_by_token("af1", "no").await, Err(StorageError::NotFound));
        assert_eq!(storage.attachment_by_token("af1", "tok").await.unwrap().0, ada);
        assert_eq!(storage.save_blob(&bob, "af1", vec![1]).await, Err(StorageError::NotFound));
        storage.save_blob(&ada, "af1", vec![0, 1, 255]).await.unwrap();
        // It was for one upload.
        assert_eq!(storage.attachment_by_token("af1", "tok").await, Err(StorageError::NotFound));
        assert_eq!(storage.blob(&ada, "af1").await.unwrap().bytes, [0, 1, 255]);
        assert_eq!(storage.blob(&bob, "af1").await, Err(StorageError::NotFound));
        storage.save_feedback(&ada, "tf", &["a".into(), "no".into()], FeedbackKind::Negative).await.unwrap();

        assert_eq!(storage.owners_of("files").await, Ok(vec![ada.clone()]));
        let export = storage.export(&ada).await.unwrap();
        assert_eq!(export["subject"], "files");
        assert_eq!(export["threads"][0]["items"][0]["id"], "a");
        assert_eq!(export["threads"][0]["feedback"], json!([{ "item_id": "a", "kind": "negative" }]));
        assert_eq!(export["attachments"][0]["base64"], "AAH/");

        storage.create_thread(&ada, "", &thread("tg", "T"), vec![]).await.unwrap();
        storage.delete_thread(&ada, "tf").await.unwrap();
        assert_eq!(storage.blob(&ada, "af1").await, Err(StorageError::NotFound));
        let deleted = Deleted { threads: 1, items: 0, attachments: 0 };
        assert_eq!(storage.delete_all(&ada).await, Ok(deleted));
        assert_eq!(storage.owners_of("files").await, Ok(vec![]));
    })
    .await;
}

/// As much as a file takes at least.
const FILE: usize = 64 << 10;

fn file(id: &str, size: usize) -> OwnedAttachment {
    let attachment = json!({ "type": "file", "id": id, "name": "n", "mime_type": "text/plain" });
    let attachment = serde_json::from_value(attachment).unwrap();
    OwnedAttachment { attachment, size, token: format!("token of {id}") }
}

/// Someone who has a cookie.
fn nobody(name: &str) -> Owner {
    Owner::caller(&Caller::new(name).claim("iss", "cookie:"))
}

#[tokio::test]
async fn files_that_come_at_once_stay_within_their_room() {
    each(async |storage| {
        let mut coming = Vec::new();
        for number in 0..16 {
            let storage = Arc::clone(&storage);
            coming.push(tokio::spawn(async move {
                let owner = nobody(&format!("room-{}", number % 2));
                let file = file(&format!("ar{number}"), FILE);
                storage.create_attachment(&owner, &file, 5 * FILE, 7 * FILE).await.unwrap()
            }));
        }
        let mut taken = 0;
        for one in coming {
            taken += usize::from(one.await.unwrap());
        }
        assert_eq!(taken, 7, "seven of all, of which no one has more than five");
        // Those of others are in another sum.
        let ada = owner("room");
        assert_eq!(storage.create_attachment(&ada, &file("ar-ada", FILE), FILE, 0).await, Ok(true));
        for name in ["room-0", "room-1"] {
            storage.delete_all(&nobody(name)).await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn no_file_is_for_free() {
    each(async |storage| {
        let (ada, eve) = (owner("empty"), nobody("empty-eve"));
        for owner in [&ada, &eve] {
            for number in 0..4 {
                let file = file(&format!("{}{number}", owner.subject()), 0);
                let made = storage.create_attachment(owner, &file, 3 * FILE, usize::MAX).await;
                assert_eq!(made, Ok(number < 3));
            }
            storage.delete_all(owner).await.unwrap();
        }
    })
    .await;
}

/// The oldest go of whoever is at an address that has too many; those of others stay.
#[tokio::test]
async fn an_address_has_its_share_of_threads() {
    each(async |storage| {
        let limits = RetentionLimits { threads_of_address: 20, ..RetentionLimits::default() };
        let honest = nobody("share-honest");
        storage.create_thread(&honest, "there", &thread("sh", "T"), vec![]).await.unwrap();
        let many: Vec<Owner> = (0..50).map(|number| nobody(&format!("share-{number}"))).collect();
        for (number, owner) in many.iter().enumerate() {
            assert_eq!(storage.make_room(owner, "here", &limits).await, Ok(true));
            let made = thread(&format!("s{number}"), "T");
            storage.create_thread(owner, "here", &made, vec![]).await.unwrap();
        }
        let mut left = 0;
        for owner in &many {
            left += storage.threads(owner, first(9, Order::Asc)).await.unwrap().data.len();
        }
        assert!(left <= 20, "{left}");
        assert!(storage.thread(&many[49], "s49").await.is_ok(), "the newest is there");
        assert!(storage.thread(&honest, "sh").await.is_ok());
        for owner in many.iter().chain([&honest]) {
            storage.delete_all(owner).await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn what_nobody_proves_is_theirs_goes_in_time() {
    each(async |storage| {
        let (ada, eve, mallory) = (owner("keeps"), nobody("keeps-eve"), nobody("keeps-mallory"));
        for (owner, name) in [(&ada, "ka"), (&eve, "ke"), (&mallory, "km")] {
            for number in 0..8 {
                let id = format!("{name}{number}");
                let items = vec![item(&id, "a", &"x".repeat(1000))];
                storage.create_thread(owner, "", &thread(&id, "T"), items).await.unwrap();
            }
        }
        let ids = async |owner: &Owner| {
            let threads = storage.threads(owner, first(9, Order::Asc)).await.unwrap().data;
            threads.into_iter().map(|thread| thread.id).collect::<Vec<String>>().join(" ")
        };
        let limits = RetentionLimits { bytes: 8000, ..RetentionLimits::default() };
        assert_eq!(storage.make_room(&eve, "", &limits).await, Ok(true));
        assert_eq!(ids(&eve).await, "ke5 ke6 ke7");
        let limits = RetentionLimits { threads: 3, ..RetentionLimits::default() };
        assert_eq!(storage.make_room(&eve, "", &limits).await, Ok(true));
        assert_eq!(ids(&eve).await, "ke6 ke7");
        assert_eq!(storage.add_item(&eve, item("ke6", "b", "x"), 1).await, Ok(false));
        assert_eq!(storage.add_item(&eve, item("ke6", "b", "x"), 2).await, Ok(true));

        assert_eq!(storage.expire(&RetentionLimits::default()).await.unwrap().threads, 0);
        // Who has too much adds nothing, but may start another; too many of all keep no one else out.
        let room = async |limits| {
            let (thread, room) = storage.thread_with_room(&eve, "ke6", &limits).await.unwrap();
            assert_eq!(thread.id, "ke6");
            room
        };
        assert!(room(RetentionLimits::default()).await);
        assert!(!room(RetentionLimits { bytes: 2000, ..RetentionLimits::default() }).await);
        assert!(!room(RetentionLimits { items: 2, ..RetentionLimits::default() }).await);
        assert!(!room(RetentionLimits { all_bytes: 2000, ..RetentionLimits::default() }).await);
        let of_other = storage.thread_with_room(&eve, "km0", &RetentionLimits::default()).await;
        assert_eq!(of_other, Err(StorageError::NotFound));
        for all in [
            RetentionLimits { all_threads: 3, ..RetentionLimits::default() },
            RetentionLimits { all_bytes: 2000, ..RetentionLimits::default() },
        ] {
            assert_eq!(storage.make_room(&eve, "", &all).await, Ok(false));
            assert_eq!(storage.expire(&all).await.unwrap().threads, 0);
        }
        assert_eq!(ids(&eve).await, "ke6 ke7", "who is refused loses nothing");
        assert_eq!(ids(&mallory).await, "km0 km1 km2 km3 km4 km5 km6 km7");
        storage.create_attachment(&ada, &file("ak1", 1), 9 * FILE, 0).await.unwrap();
        storage.create_attachment(&ada, &file("ak2", 1), 9 * FILE, 0).await.unwrap();
        let mut sent = file("ak2", 1).attachment;
        sent.thread_id = Some("ka0".into());
        storage.send_attachment(&ada, &sent).await.unwrap();
        let none = std::time::Duration::ZERO;
        let old = RetentionLimits { age: none, unsent: none, ..RetentionLimits::default() };
        let gone = storage.expire(&old).await.unwrap();
        assert!(gone.threads >= 3 && gone.items >= 3 && gone.attachments >= 1, "{gone:?}");
        assert_eq!(ids(&mallory).await, "");
        assert_eq!(ids(&ada).await, "ka0 ka1 ka2 ka3 ka4 ka5 ka6 ka7", "a proven caller's stay");
        assert_eq!(storage.attachment(&ada, "ak1").await, Err(StorageError::NotFound));
        assert!(storage.attachment(&ada, "ak2").await.is_ok());
    })
    .await;
}

/// A retry deletes what came after a message, but a widget before it stays, and with it whose it is.
#[tokio::test]
async fn where_a_widget_came_from_stays_as_long_as_it() {
    each(async |storage| {
        let ada = owner("source");
        let items = vec![item("so", "msg_1", "x"), item("so", "msg_2", "y")];
        storage.create_thread(&ada, "", &thread("so", "T"), items).await.unwrap();
        let later = vec![item("so", "src_msg_1", "whose"), item("so", "msg_3", "z")];
        storage.save_items(&ada, later).await.unwrap();
        storage.delete_items_after(&ada, "so", "msg_2").await.unwrap();
        assert!(storage.item(&ada, "so", "src_msg_1").await.is_ok());
        assert_eq!(storage.item(&ada, "so", "msg_3").await, Err(StorageError::NotFound));
    })
    .await;
}
