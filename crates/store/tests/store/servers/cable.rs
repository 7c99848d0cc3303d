//! The way to a server, which can be cut.

#![allow(dead_code, reason = "not every binary of tests cuts one off")]

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A cable that can be cut: nothing passes then, and no one is told.
pub(crate) struct Cable {
    pub port: u16,
    is_whole: watch::Sender<bool>,
}

impl Cable {
    pub(crate) async fn new(to: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (is_whole, mut whole) = watch::channel(true);
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let mut whole = whole.clone();
                tokio::spawn(async move {
                    let mut far = TcpStream::connect(("127.0.0.1", to)).await.unwrap();
                    loop {
                        _ = whole.wait_for(|whole| *whole).await;
                        let mut cut = whole.clone();
                        tokio::select! {
                            _ = copy_bidirectional(&mut near, &mut far) => return,
                            _ = cut.wait_for(|whole| !whole) => {}
                        }
                    }
                });
            }
            _ = whole.changed().await;
        });
        Self { port, is_whole }
    }
    pub(crate) fn cut(&self) {
        self.is_whole.send_replace(false);
    }

    pub(crate) fn mend(&self) {
        self.is_whole.send_replace(true);
    }
}
