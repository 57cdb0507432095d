//! Connections whose clients do not read.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep},
};

/// A stream on which a write fails that has waited too long for the client to read.
pub(super) struct Impatient<S> {
    stream: S,
    patience: Duration,
    /// Runs while a write waits.
    timer: Pin<Box<Sleep>>,
    waits: bool,
}

impl<S> Impatient<S> {
    pub(super) fn new(stream: S, patience: Duration) -> Self {
        Self {
            stream,
            patience,
            timer: Box::pin(sleep(patience)),
            waits: false,
        }
    }

    /// What became of a write.
    fn judge<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waits = false;
            return written;
        }
        if !self.waits {
            self.waits = true;
            self.timer.as_mut().reset(Instant::now() + self.patience);
        }
        ready!(self.timer.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Impatient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Impatient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.judge(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.judge(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(context);
        self.judge(context, shut)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    #[tokio::test]
    async fn a_client_that_reads_is_waited_for_and_one_that_does_not_is_given_up() {
        let (ours, mut theirs) = duplex(4);
        let mut ours = Impatient::new(ours, Duration::from_millis(200));
        let reader = tokio::spawn(async move {
            let mut bytes = [0; 4];
            for _ in 0..3 {
                sleep(Duration::from_millis(120)).await;
                theirs.read_exact(&mut bytes).await.unwrap();
            }
            theirs
        });
        // Longer in sum than its patience, but never so long without a byte.
        ours.write_all(&[7; 12]).await.unwrap();
        let theirs = reader.await.unwrap();
        let error = ours.write_all(&[7; 12]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(theirs);
    }
}
