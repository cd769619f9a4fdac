'use strict';

const container = document.getElementById('reference');

/** What to show samples for; the rest of the long list stays out of the way. */
const samples = { shell: ['curl'], node: ['fetch'], python: ['requests'] };

/** Scalar wants the names of what is not to be shown. */
const hidden = {
  c: true,
  clojure: true,
  csharp: true,
  dart: true,
  fsharp: true,
  go: true,
  http: true,
  java: true,
  js: true,
  kotlin: true,
  objc: true,
  ocaml: true,
  php: true,
  powershell: true,
  r: true,
  ruby: true,
  rust: true,
  swift: true,
  shell: ['httpie', 'wget'],
  node: ['axios', 'ofetch', 'undici'],
  python: ['aiohttp', 'httpx_async', 'httpx_sync', 'python3'],
};

globalThis.Scalar.createApiReference(container, {
  url: container.dataset.document,
  title: 'Helpdesk API',
  layout: 'modern',
  theme: 'default',
  defaultHttpClient: { targetKey: 'shell', clientKey: samples.shell[0] },
  hiddenClients: hidden,
  authentication: { preferredSecurityScheme: 'bearer' },
  persistAuth: true,
  defaultOpenAllTags: false,
  // Everything stays on this machine: no proxy, no fonts, no reports, no assistant.
  proxyUrl: '',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
});
