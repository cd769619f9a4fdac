import { usualPermission } from '../context/permission-table';
import { PREFIX } from '../http/openapi';
import { type Document, operationsOf } from './document';

/** Says of every operation that takes a token which permission it takes: `x-permission`, and a sentence for people. */
export function addPermissions(document: Document): void {
  for (const { path, method, operation } of operationsOf(document)) {
    if (operation.security?.length === 0) {
      delete operation['x-permission'];
      continue;
    }
    const permission = operation['x-permission'] ?? usualPermission(method.toUpperCase(), PREFIX + path);
    operation['x-permission'] = permission;
    operation.description = [operation.description, `Permission: \`${permission}\`.`].filter(Boolean).join('\n\n');
  }
}
