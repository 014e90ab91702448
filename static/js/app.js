// Small behaviours that every page may use. Nothing here is needed to reach, read or save anything.

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-dismiss]");
  button?.closest(button.dataset.dismiss)?.remove();
});

// Sign-up: the browser knows the time zone; the person can change it in Settings.
for (const field of document.querySelectorAll("input[data-time-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
