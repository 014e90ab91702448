// Following the answer: only while the reader is at the end.

const NEAR_END = 120;
let atEnd = true;

export function follow() {
  if (atEnd) {
    window.scrollTo({ top: document.documentElement.scrollHeight });
  }
}

window.addEventListener(
  "scroll",
  () => {
    const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
    atEnd = scrollHeight - clientHeight - scrollTop < NEAR_END;
  },
  { passive: true },
);
