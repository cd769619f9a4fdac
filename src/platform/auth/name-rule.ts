import { isLonger } from '../text/normalise';
import { ProvisioningError } from './provisioning-error';

const MAX_NAME = 200;

/** What an operator calls a workspace, a plan or a token. @throws ProvisioningError when that is no name */
export function requireName(name: string): void {
  if (!name.trim() || isLonger(name, MAX_NAME)) throw new ProvisioningError('A name has 1 to 200 characters.');
}
