'use strict';

/** Webhooks are many and large: they are drawn only when somebody opens them. */
const collapsedWebhooks = {
  wrapComponents: {
    Webhooks: (Original, { React }) =>
      function CollapsedWebhooks(props) {
        const [open, setOpen] = React.useState(false);
        const summary = React.createElement('summary', { className: 'opblock-tag' }, 'Webhooks');
        const onToggle = (event) => setOpen(event.currentTarget.open);
        const content = open ? React.createElement(Original, props) : null;
        return React.createElement('details', { className: 'webhooks', onToggle }, summary, content);
      },
  },
};

const container = document.getElementById('swagger-ui');

globalThis.ui = globalThis.SwaggerUIBundle({
  domNode: container,
  url: container.dataset.document,
  presets: [globalThis.SwaggerUIBundle.presets.apis],
  plugins: [collapsedWebhooks],
  layout: 'BaseLayout',
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  deepLinking: true,
  filter: true,
  persistAuthorization: true,
  displayRequestDuration: true,
  showCommonExtensions: true,
  validatorUrl: null,
  onComplete: () => {
    const field = document.querySelector('.operation-filter-input');
    field?.setAttribute('placeholder', 'Filter by area, e.g. Tickets');
    field?.setAttribute('aria-label', 'Filter by area');
  },
});
