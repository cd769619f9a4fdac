/** Where the chat covers the whole screen. */
export const SMALL = '(max-width: 480px)';

/** Of the shadow root; every text on what it stands on has a contrast of 4.5 : 1 or more, by day and by night. */
export const STYLE = `
:host { all: initial; position: fixed; inset-block-end: 16px; inset-inline-end: 16px; z-index: 2147483000; font: 16px/1.45 system-ui, sans-serif;
--paper: #fff; --ink: #1b1f26; --dim: #565e6b; --line: #8b93a1; --theirs: #eef0f3; color: var(--ink); }
@media (prefers-color-scheme: dark) { :host { --paper: #181b21; --ink: #f0f2f5; --dim: #aab2bf; --line: #7b8493; --theirs: #2a2f38; } }
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
button, input, textarea { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; box-shadow: 0 0 0 2px var(--paper); }
.launcher { inline-size: 60px; block-size: 60px; border: 2px solid var(--paper); border-radius: 50%; background: var(--accent); color: var(--on-accent);
display: grid; place-items: center; margin-inline-start: auto; position: relative; box-shadow: 0 2px 10px #0005; }
.badge { position: absolute; inset-block-start: -6px; inset-inline-end: -6px; min-inline-size: 24px; padding: 1px 6px; border-radius: 12px; background: #b3001b; color: #fff; font-size: 13px; font-weight: 600; }
.panel { inline-size: 372px; max-inline-size: calc(100vw - 32px); block-size: min(600px, calc(100vh - 110px)); margin-block-end: 12px; display: flex; flex-direction: column;
background: var(--paper); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; box-shadow: 0 6px 30px #0004; }
header { display: flex; gap: 8px; align-items: center; padding: 12px 8px 12px 16px; background: var(--accent); color: var(--on-accent); }
header div { flex: 1; min-inline-size: 0; }
h2, p, ol { margin: 0; padding: 0; }
h2 { font-size: 17px; line-height: 1.3; overflow-wrap: anywhere; }
header p { font-size: 14px; }
.icon { inline-size: 44px; block-size: 44px; flex: none; border: 0; border-radius: 10px; background: none; display: grid; place-items: center; }
header :focus-visible { outline-color: var(--on-accent); box-shadow: none; outline-offset: -3px; }
.log { flex: 1; overflow-y: auto; padding: 16px; display: flex; flex-direction: column; gap: 12px; overscroll-behavior: contain; }
.log:focus-visible { outline-offset: -3px; }
ol { list-style: none; display: flex; flex-direction: column; gap: 10px; }
li, .greeting { max-inline-size: 85%; padding: 9px 13px; border-radius: 14px; background: var(--theirs); align-self: flex-start; overflow-wrap: anywhere; }
li.mine { background: var(--accent); color: var(--on-accent); align-self: flex-end; }
.text { white-space: pre-wrap; unicode-bidi: plaintext; }
.meta { font-size: 13px; color: var(--dim); }
.mine .meta { color: inherit; }
a { color: inherit; }
.plain { border: 1px solid var(--line); border-radius: 8px; background: none; padding: 6px 12px; min-block-size: 36px; }
.mine .plain { border-color: currentColor; }
.earlier, .person { align-self: center; }
.person { margin-block-end: 8px; }
.away { padding: 10px 16px; border-block-end: 1px solid var(--line); font-size: 15px; }
.note { padding: 0 16px; font-size: 14px; color: var(--dim); }
.note:not(:empty) { padding-block: 8px; }
form { border-block-start: 1px solid var(--line); padding: 10px; display: flex; gap: 6px; align-items: flex-end; }
form.ask { flex-direction: column; align-items: stretch; gap: 10px; padding: 16px; }
label { font-size: 15px; display: block; margin-block-end: 6px; }
input, textarea { inline-size: 100%; padding: 10px; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); }
::placeholder { color: var(--dim); opacity: 1; }
textarea { resize: none; min-block-size: 44px; max-block-size: 140px; flex: 1; }
.primary { border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); min-block-size: 44px; padding: 0 16px; font-weight: 600; }
.sr { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media ${SMALL} {
:host(.open) { inset: 0; }
.panel { inline-size: 100vw; max-inline-size: none; block-size: 100vh; block-size: 100dvh; margin: 0; border: 0; border-radius: 0; }
:host(.open) .launcher { display: none; }
}
@media (prefers-reduced-motion: no-preference) { .panel { animation: come .15s ease-out; } @keyframes come { from { opacity: 0; transform: translateY(12px); } } }
`;
