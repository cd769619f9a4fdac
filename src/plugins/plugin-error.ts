/** A plug-in cannot be loaded. The message is one sentence that says what to do. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
}
