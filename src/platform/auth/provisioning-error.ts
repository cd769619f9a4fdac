/** The operator asked for something that cannot be done. The message is one sentence for a person. */
export class ProvisioningError extends Error {
  override readonly name = 'ProvisioningError';
}
