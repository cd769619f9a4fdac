'use strict';

const EVERY_MS = 5_000;

const health = document.getElementById('health');

async function look() {
  const [state, text] = await condition();
  health.dataset.state = state;
  health.querySelector('.text').textContent = text;
}

async function condition() {
  try {
    const answer = await fetch(health.dataset.health, { cache: 'no-store' });
    const { status, checks, reasons = [] } = await answer.json();
    if (status === 'ok') return ['ok', 'Healthy'];
    const down = Object.keys(checks).filter((name) => checks[name].status !== 'ok');
    return ['degraded', ['Degraded', ...(reasons.length ? reasons : [down.join(', ')])].join(': ')];
  } catch {
    return ['away', 'Does not answer'];
  }
}

void look();
setInterval(() => document.hidden || void look(), EVERY_MS);

for (const button of document.querySelectorAll('[data-copy]')) {
  // Browsers offer the clipboard to safe origins only; elsewhere the text is selected.
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = 'Selected';
    }
    setTimeout(() => (button.textContent = 'Copy'), 1_500);
  });
}
