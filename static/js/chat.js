// The Coach's page: the composer and its outbox, and the socket.
// What happened is drawn by the server alone; this moves messages out and fragments into view.

import { follow } from "./following.js";
import * as outbox from "./outbox.js";
import { speak } from "./speech.js";

const talk = document.getElementById("talk");
const composer = document.getElementById("composer");
const message = document.getElementById("message");
const clientId = document.getElementById("client-id");
const send = document.getElementById("send");
const stop = document.getElementById("stop");
const transcript = document.getElementById("transcript");
const pending = document.getElementById("pending");
const connection = document.getElementById("connection");
const conversation = talk.dataset.conversation;
const draftKey = `gymnasia.draft.${talk.dataset.person}.${conversation}`;
const csrf = talk.querySelector("[name=csrfmiddlewaretoken]").value;

// Closes of a socket that say why. What the page says of each stands in its template.
const SIGNED_OUT = 4401;
const NOT_THERE = 4404;
const REASONS = { 1012: "restarting", 1013: "away", 4429: "crowded" };
const RETRY_SECONDS = 2;

let socket = null;
// Whether the server has answered on that socket: until then, what is sent over it may go nowhere.
let isLive = false;
let hasClosed = false;
let reason = "";
let retry = null;
let isWorking = false;
const posting = new Set();

// Sending

function newClientId() {
  return crypto.randomUUID();
}

function submit() {
  const text = message.value.trim();
  if (!text || outbox.waiting(conversation).length) {
    return;
  }
  if (isBusy() && !isCutOff()) {
    showState(talk.dataset.busy);
    return;
  }
  outbox.put({ clientId: clientId.value, conversation, text });
  clientId.value = newClientId();
  message.value = "";
  localStorage.removeItem(draftKey);
  grow();
  showState("");
  deliver();
}

function deliver() {
  showPending();
  for (const waiting of outbox.waiting(conversation)) {
    if (isLive && isBusy() && !waiting.told) {
      continue; // What was written while cut off goes out at the end of the answer.
    }
    // A socket takes no more than a message may hold; of a longer one a form says by how much.
    if (isLive && waiting.text.length <= Number(talk.dataset.limit)) {
      outbox.noteTold(waiting.clientId);
      tell({ command: "say", client_id: waiting.clientId, text: waiting.text });
    } else if (!posting.has(waiting.clientId)) {
      posting.add(waiting.clientId);
      post(waiting).finally(() => posting.delete(waiting.clientId));
    }
  }
}

function deliverLater(seconds = RETRY_SECONDS) {
  retry ??= setTimeout(() => {
    retry = null;
    deliver();
  }, 1000 * seconds);
}

async function post(waiting) {
  const body = new URLSearchParams({ client_id: waiting.clientId, text: waiting.text });
  let response;
  try {
    response = await fetch(talk.dataset.say, {
      method: "POST",
      headers: { Accept: "application/json", "X-CSRFToken": csrf },
      body,
    });
  } catch {
    deliverLater();
    return;
  }
  if (response.status >= 500) {
    // Whether it was taken is not known: the same id goes out again, which is the same message.
    deliverLater(Number(response.headers.get("Retry-After")) || RETRY_SECONDS); // It may be a date.
    return;
  }
  if (response.redirected || response.status === 404) {
    // Signed out, or deleted in another tab: the page itself says which.
    location.reload();
    return;
  }
  if (!response.headers.get("Content-Type")?.includes("json")) {
    refused(waiting.clientId, talk.dataset.failed);
    return;
  }
  const answer = await response.json();
  if (response.ok) {
    taken(answer.taken);
    if (!conversation) {
      location.assign(`${location.pathname}${answer.conversation}/`);
    } else if (composer) {
      readAgain();
    } else {
      location.assign(location.pathname); // From earlier messages to the newest.
    }
  } else {
    refused(answer.refused, answer.reason);
  }
}

function tell(command) {
  socket.send(JSON.stringify(command));
}

function taken(id) {
  outbox.take(id);
  showPending();
}

function refused(id, reason) {
  const given = outbox.waiting(conversation).find((waiting) => waiting.clientId === id);
  if (given) {
    outbox.take(id);
    // Under a new id: this one was never taken, and what was typed must not be lost.
    message.value = message.value ? `${given.text}\n${message.value}` : given.text;
    grow();
  }
  showPending();
  showState(reason);
}

function showState(reason) {
  const state = document.getElementById("composer-state");
  state.textContent = reason;
  state.classList.toggle("field-error", Boolean(reason));
}

function showPending() {
  pending.replaceChildren(
    ...outbox.waiting(conversation).map((waiting) => {
      const item = document.createElement("li");
      item.className = "turn";
      const bubble = document.createElement("article");
      bubble.className = "bubble";
      bubble.textContent = waiting.text;
      const note = document.createElement("p");
      note.className = "quiet small";
      note.textContent = isConnected() ? talk.dataset.sending : talk.dataset.waiting;
      item.append(bubble, note);
      return item;
    }),
  );
}

// The composer

function grow() {
  if (!CSS.supports("field-sizing", "content")) {
    message.rows = Math.min(10, message.value.split("\n").length);
  }
}

function isBusy() {
  return Boolean(unfinished());
}

function unfinished() {
  return transcript.querySelector("[data-unfinished]");
}

function isWithoutNews() {
  // The server can be told things all the same, and asked.
  return hasClosed && (reason === "away" || reason === "crowded");
}

function isCutOff() {
  return hasClosed && !isWithoutNews();
}

function showBusy() {
  const busy = isBusy() && !isCutOff();
  if (stop) {
    stop.hidden = !busy;
    send.hidden = busy;
  }
}

composer?.addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});

message?.addEventListener("keydown", (event) => {
  // While an input method composes a character, Enter belongs to it.
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    submit();
  }
});

message?.addEventListener("input", () => {
  localStorage.setItem(draftKey, message.value);
  grow();
});

stop?.addEventListener("click", () => {
  const turn = unfinished()?.dataset.unfinished;
  if (turn && isLive) {
    tell({ command: "stop", turn_id: Number(turn) });
  } else if (turn) {
    fetch(`/coach/turn/${turn}/stop/`, { method: "POST", headers: { "X-CSRFToken": csrf } }).then(readAgain);
  }
});

for (const suggestion of document.querySelectorAll("[data-suggestion]")) {
  suggestion.addEventListener("click", () => {
    message.value = suggestion.textContent;
    message.focus();
    grow();
  });
}

// A turn that stopped offers to go on, or to send its message again: a message like any other.

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-resend]")) {
    return;
  }
  event.preventDefault();
  const fields = new FormData(event.target);
  outbox.put({ clientId: fields.get("client_id"), conversation, text: fields.get("text") });
  event.target.hidden = true;
  deliver();
});

// Questions of the program: over the socket where it is open, as the form they are where not.

document.addEventListener("submit", (event) => {
  const { command, id } = event.target.dataset;
  if (!command) {
    return;
  }
  if (!isLive) {
    // What came over the socket was drawn for nobody's request, and so without a token.
    event.target.querySelector("[name=csrfmiddlewaretoken]").value = csrf;
    return;
  }
  event.preventDefault();
  const answer = { command, id: Number(id) };
  if (command === "consent") {
    answer.granted = event.submitter.value === "yes";
  }
  for (const button of event.target.elements) {
    button.disabled = true;
  }
  tell(answer);
});

// The socket

function isConnected() {
  return conversation ? isLive : navigator.onLine;
}

function showConnection() {
  showBusy();
  if (connection) {
    connection.hidden = isConnected();
    connection.querySelector("span").textContent = talk.dataset[reason] ?? talk.dataset.offline;
  }
  showPending();
}

function lastNumber() {
  const turns = transcript.querySelectorAll(":scope > [data-turn]");
  return Number(turns[turns.length - 1]?.dataset.turn ?? 0);
}

document.addEventListener("htmx:ws:after:connection", (event) => {
  socket = event.detail.connection.socket;
  tell({ command: "resume", last_number: lastNumber() });
});

document.addEventListener("htmx:ws:close", (event) => {
  socket = null;
  isLive = false;
  hasClosed = true;
  // Signed out, or deleted in another tab: the page itself says which.
  if (event.detail.code === SIGNED_OUT || event.detail.code === NOT_THERE) {
    location.reload();
    return;
  }
  // An attempt that fails says nothing new.
  reason = REASONS[event.detail.code] ?? reason;
  // A tab in the background disconnects on purpose.
  if (!document.hidden) {
    showConnection();
  }
});

document.addEventListener("htmx:ws:after:message:incoming", () => {
  const isBack = !isLive;
  const wasBusy = isWorking;
  if (isBack) {
    isLive = true;
    hasClosed = false;
    reason = "";
    showConnection();
  }
  const { taken: takenId, refused: refusedId } = document.getElementById("composer-state")?.dataset ?? {};
  const state = document.getElementById("composer-state");
  if (takenId) {
    delete state.dataset.taken;
    taken(takenId);
  }
  if (refusedId !== undefined) {
    delete state.dataset.refused;
    refused(refusedId, state.textContent);
  }
  showBusy();
  isWorking = isBusy();
  if (isBack || (wasBusy && !isWorking)) {
    deliver();
  }
  follow();
  speak();
});

window.addEventListener("online", () => {
  showConnection();
  if (!conversation) {
    deliver();
  }
});
window.addEventListener("offline", showConnection);

// Without news, the page asks how the answer is going on.

async function readAgain() {
  let html;
  try {
    html = await (await fetch(location.href)).text();
  } catch {
    return;
  }
  const read = new DOMParser().parseFromString(html, "text/html").getElementById("transcript");
  // What came over the socket meanwhile is newer.
  if (read && !isLive) {
    transcript.replaceChildren(...read.children);
    showBusy();
    follow();
    speak();
  }
}

setInterval(() => {
  if (isWithoutNews() && isBusy()) {
    readAgain();
  }
}, 1000 * RETRY_SECONDS);

// The beginning

if (composer) {
  message.value ||= localStorage.getItem(draftKey) ?? "";
  grow();
  if (!conversation) {
    // Nothing to wait for: a message that could not leave before goes out now.
    deliver();
  }
}
showBusy();
showPending();
if (transcript.childElementCount) {
  follow();
}
