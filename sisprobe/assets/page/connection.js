// Views from the server: a stream; where there is none, one asked for every few seconds.

const POLL = 2000;
// How long to ask before the stream is tried again.
const STREAM_AGAIN = 30000;
// A stream on which nothing has come for so long is taken to be broken. The server says that it is
// there every 15 s, but a browser does not tell; --interval may be long.
const SILENCE = 20000;

const status = document.getElementById("connection");

function say(state, text) {
  if (status.dataset.state === state && status.textContent === text) return;
  status.dataset.state = state;
  status.textContent = text;
}

// Calls `take` with each view, of what `query` says when the connection is made.
export function connect(query, take) {
  let stream = null;
  let poll = null;
  let retry = null;
  let silence = null;
  let lastSeen = null;
  // What was asked for before something else was is not to be shown.
  let turn = 0;

  function seen(view, how) {
    if (view.stale) {
      say("lost", `no new figures: ${view.stale}`);
    } else {
      lastSeen = new Date();
      say("live", how);
    }
    take(view);
  }

  function lost(why) {
    const since = lastSeen ? `; the figures are of ${lastSeen.toLocaleTimeString()}` : "";
    say("lost", `no connection: ${why}${since}`);
  }

  function stop() {
    turn += 1;
    stream?.close();
    stream = null;
    for (const timer of [poll, retry, silence]) clearTimeout(timer);
  }

  function expectMore() {
    clearTimeout(silence);
    silence = setTimeout(() => ask(turn, true), SILENCE);
  }

  function begin() {
    stop();
    const mine = turn;
    stream = new EventSource(`page/events${query()}`);
    stream.onmessage = (event) => {
      if (mine !== turn) return;
      expectMore();
      seen(JSON.parse(event.data), "live");
    };
    stream.onerror = () => {
      if (mine !== turn) return;
      // It will not come back by itself soon, or never.
      stop();
      retry = setTimeout(begin, STREAM_AGAIN);
      ask(turn, false);
    };
    expectMore();
  }

  // Once where the stream is silent, else until the stream is tried again.
  async function ask(mine, once) {
    try {
      const answer = await fetch(`page/view${query()}`, { signal: AbortSignal.timeout(10000) });
      if (!answer.ok) throw new Error((await answer.text()).trim());
      const view = await answer.json();
      if (mine !== turn) return;
      seen(view, once ? "live" : "live, asking every 2 s");
    } catch (error) {
      if (mine !== turn) return;
      lost(error instanceof TypeError ? "sisprobe does not answer" : error.message);
    }
    if (once) expectMore();
    else poll = setTimeout(() => ask(mine, false), POLL);
  }

  // A browser has few connections to a server; a page that nobody sees needs none.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") {
      begin();
    } else {
      stop();
      say("waiting", "paused while out of sight");
    }
  });

  begin();
  return { again: begin };
}
