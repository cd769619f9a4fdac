import { In } from 'typeorm';
import { currentWorkspaceId } from '../../platform/context/current';
import type { Database } from '../../platform/database/database';
import { WorkspaceRepository } from '../../platform/database/workspace-repository';
import type { Bind } from '../../platform/query/filters';
import { companyWithDomain } from '../companies/company-lookup';
import { Contact } from './contact.entity';

const contactsOf = (database: Database): WorkspaceRepository<Contact> => new WorkspaceRepository(database, Contact);

/** Those of the addresses (lower-case) that belong to blocked contacts. Inside a unit of work. */
export async function blockedAddresses(database: Database, emails: readonly string[]): Promise<string[]> {
  const where = { email: In(emails), status: 'blocked' } as const;
  return (await contactsOf(database).find({ select: { email: true }, where })).map(({ email }) => email);
}

/** Whether there is a contact of that id, who stays until the commit. Inside a unit of work. */
export async function holdContact(database: Database, id: number): Promise<boolean> {
  const options = { select: { id: true }, where: { id }, lock: { mode: 'for_key_share' } } as const;
  return (await contactsOf(database).findOne(options)) !== null;
}

/** The contact of that id, or, where none is given, the one with that address; null when there is none. Inside a unit of work. */
export async function findContact(
  database: Database,
  id: number | null,
  email: string | null,
): Promise<Pick<Contact, 'id' | 'company_id' | 'name' | 'email'> | null> {
  if (id === null && email === null) return null;
  const where = id === null ? { email: email ?? '' } : { id };
  return contactsOf(database).findOne({ select: { id: true, company_id: true, name: true, email: true }, where });
}

/** The oldest contact with a telephone number, written as it is here; null when there is none. Inside a unit of work. */
export async function contactByPhone(database: Database, phone: string): Promise<number | null> {
  const where = [{ phone }, { mobile: phone }];
  return (await contactsOf(database).findOne({ select: { id: true }, where, order: { id: 'ASC' } }))?.id ?? null;
}

/** Somebody as a requester, with their address; null when there is none of that id. Inside a unit of work. */
export async function contactOfId(database: Database, id: number): Promise<(Requester & { email: string }) | null> {
  const select = { id: true, company_id: true, name: true, email: true, status: true } as const;
  const found = await contactsOf(database).findOne({ select, where: { id } });
  if (!found) return null;
  const { status, ...contact } = found;
  return { ...contact, is_blocked: status === 'blocked' };
}

/** What a ticket needs to know of its requester. */
export interface Requester {
  id: number;
  company_id: number | null;
  name: string | null;
  /** New tickets of theirs are refused. */
  is_blocked: boolean;
}

/**
 * SQL of the contact with an address, as {@link Requester}; `$1` is the workspace.
 *
 * @param address SQL of the address, lower-case
 */
export function contactOfAddress(address: string): string {
  return `SELECT id, company_id, name, status = 'blocked' AS is_blocked FROM contacts WHERE workspace_id = $1 AND email = ${address}`;
}

/**
 * SQL of the company of a contact, else of the oldest active company with the mail domain of an address.
 *
 * @param contact what the contact, if there is one, is a row of ({@link contactOfAddress})
 */
export function companyOfAddress(contact: string, email: string, bind: Bind): string {
  return `coalesce((SELECT company_id FROM ${contact}), ${companyWithDomain(bind(email.split('@')[1] ?? ''))})`;
}

/** SQL of the language of the contact with an address (lower-case), column `language`; `$1` is the workspace. */
export function languageOfAddress(address: string): string {
  return `SELECT language FROM contacts WHERE workspace_id = $1 AND email = ${address}`;
}

/** SQL of how a requester is called: by what is stored (`stored`), else by their contact (`contact`, an id), null without either; `$1` is the workspace. */
export function requesterName(stored: string, contact: string): string {
  return `coalesce(${stored}, (SELECT name FROM contacts WHERE workspace_id = $1 AND id = ${contact}))`;
}

/** Contacts of these ids or addresses (lower-case), as directories know them. Inside a unit of work. */
export function contactsForDirectories(
  database: Database,
  { ids, emails }: { ids: readonly number[]; emails: readonly string[] },
): Promise<DirectoryContact[]> {
  const columns = 'id, email, name, phone, mobile, job_title, status, erased_at IS NOT NULL AS is_erased';
  return database.query<DirectoryContact & Record<string, unknown>>(
    `SELECT ${columns} FROM contacts WHERE workspace_id = $1 AND id = ANY($2::bigint[])
     UNION SELECT ${columns} FROM contacts WHERE workspace_id = $1 AND email = ANY($3::text[]) ORDER BY id`,
    [currentWorkspaceId(), ids, emails],
  );
}

/** What directories have a say in. */
export type DirectoryContact = Pick<Contact, 'id' | 'email' | 'name' | 'phone' | 'mobile' | 'job_title' | 'status'> & {
  is_erased: boolean;
};

/** Whether a contact has one of the addresses (lower-case). Inside a unit of work. */
export async function contactsWith(database: Database, emails: readonly string[]): Promise<boolean> {
  return contactsOf(database).existsBy({ email: In(emails) });
}
