// Messages that were sent and not taken yet. They live in the browser's storage, each with its client
// id, so that a reload, a dead socket or a double click neither loses nor doubles one. Each person has
// an outbox of their own: whoever signs in next in this browser must not send what another wrote.

const KEY = `gymnasia.outbox.${document.getElementById("talk").dataset.person}`;

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}

function write(messages) {
  localStorage.setItem(KEY, JSON.stringify(messages));
}

export function waiting(conversation) {
  return read().filter((message) => message.conversation === conversation);
}

export function put(message) {
  if (!read().some((other) => other.clientId === message.clientId)) {
    write([...read(), message]);
  }
}

// The answer being written may then be this one's: it is told again to hear that it was taken.
export function noteTold(clientId) {
  write(read().map((message) => (message.clientId === clientId ? { ...message, told: true } : message)));
}

export function take(clientId) {
  write(read().filter((message) => message.clientId !== clientId));
}
