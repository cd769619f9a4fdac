import { Injectable } from '@nestjs/common';
import { invalid } from '../../errors/api-error';
import type { Resource } from '../resource';
import type { RawQuery } from './list-query';

/** What a saved list asks for of its resource; as the parameters of a list say it. */
export type FindSaved = (id: number, resource: Resource) => Promise<RawQuery>;

/** Lists that somebody saved: `?view=5` asks for one, and whatever else is asked for comes on top. */
@Injectable()
export class SavedLists {
  private find: FindSaved | null = null;

  /** Says who knows what was saved; call it in `onModuleInit`. */
  register(find: FindSaved): void {
    this.find = find;
  }

  /** The request with what the view asks for where the request says nothing else. 422 for a view that is not there, or of another list. */
  async opened(resource: Resource, query: RawQuery): Promise<RawQuery> {
    const { view, ...asked } = query;
    if (view === undefined) return query;
    const id = /^\d{1,16}$/.test(view) ? Number(view) : NaN;
    if (!Number.isSafeInteger(id) || !this.find) invalid('view', 'type', '"view" must be the id of a view.');
    const { fields, expand, ...saved } = await this.find(id, resource);
    const isChosen = asked.fields !== undefined || asked.expand !== undefined || asked.include !== undefined;
    const columns: RawQuery = isChosen
      ? {}
      : { ...(fields === undefined ? {} : { fields }), ...(expand === undefined ? {} : { expand }) };
    return { view, ...saved, ...columns, ...asked };
  }
}
