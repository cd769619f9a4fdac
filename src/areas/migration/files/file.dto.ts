import { TextParameter } from '../../../platform/query/members';

/** Parameters of `POST /migration/jobs/{id}/files`. */
export class FileQuery {
  @TextParameter({
    description: 'What its records become; `tickets` unless given. An archive says so itself.',
    max: 60,
  })
  entity?: string;
}
