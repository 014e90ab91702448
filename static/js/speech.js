// Saying the answer aloud, to whoever listens instead of looking: whole sentences, once each.

const transcript = document.getElementById("transcript");
const spoken = document.getElementById("spoken");

// What stood there when the page came is read like any page; an answer that still comes is said.
let saidTurn = transcript.lastElementChild?.id ?? null;
let saidLength = transcript.lastElementChild?.dataset.unfinished ? 0 : Infinity;

export function speak() {
  const turn = transcript.lastElementChild;
  if (!turn) {
    return;
  }
  if (turn.id !== saidTurn) {
    saidTurn = turn.id;
    saidLength = 0;
  }
  const text = [...turn.querySelectorAll(".prose, .receipt-text, .notice p, .effect-line")]
    .map((part) => part.textContent.trim().replace(/\s+/g, " "))
    .filter(Boolean)
    .map((part) => (/[.!?:…]$/.test(part) ? part : `${part}.`))
    .join(" ");
  const said = turn.dataset.unfinished ? wholeSentences(text) : text;
  if (said.length > saidLength) {
    const sentence = document.createElement("span");
    sentence.textContent = said.slice(saidLength);
    spoken.append(sentence);
    saidLength = said.length;
  }
}

function wholeSentences(text) {
  // Only with a space after it: the point in 77.4 ends nothing.
  const end = Math.max(...[". ", "! ", "? "].map((mark) => text.lastIndexOf(mark)));
  return text.slice(0, end + 1);
}
