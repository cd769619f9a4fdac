import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of the widget, each after those that it imports. */
const PARTS = ['words', 'style', 'state', 'requests', 'dom', 'ui', 'view', 'talk', 'main'];

/** Nothing happens where the line of the page names no channel, or stands there twice. */
const HEAD = `'use strict';(()=>{if(!document.currentScript?.dataset.channel||window.HelpdeskChat)return;\n`;

/** The widget as one script: its modules in one scope, without their comments and indentation. */
export function widgetScript(): string {
  const parts = PARTS.map((name) => readFileSync(join(__dirname, 'widget', `${name}.js`), 'utf8'));
  const whole = parts
    .join('')
    .replaceAll(/^import [^;]*;\n/gm, '')
    .replaceAll(/^export /gm, '')
    .replaceAll(/^ *\/\*\*[^]*?\*\/\n/gm, '')
    .replaceAll(/^ *\/\/.*\n/gm, '')
    .replaceAll(/^\s+/gm, '');
  return `${HEAD}${whole}})();\n`;
}
