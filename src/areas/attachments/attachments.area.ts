import { CreateAttachments1764900000000 } from '../../../migrations/1764900000000-create-attachments';
import { FilesHaveSenders1768940000000 } from '../../../migrations/1768940000000-files-have-senders';
import { defineArea } from '../../platform/area/area';
import { attachmentResource } from './attachment.resource';
import { AttachmentsModule } from './attachments.module';
import { attachmentsPersonal } from './attachments.personal';

/** Files: uploaded, attached to records of other areas, downloaded, and taken away when nobody wants them. */
export const attachmentsArea = defineArea({
  name: 'attachments',
  module: AttachmentsModule,
  resources: [attachmentResource],
  migrations: [CreateAttachments1764900000000, FilesHaveSenders1768940000000],
  permissions: [
    { name: 'attachments.read', description: 'See files of the records that one sees.', from: 'light_agent' },
    { name: 'attachments.create', description: 'Upload files.', from: 'light_agent' },
    { name: 'attachments.delete', description: 'Delete files of records that one may change.', from: 'agent' },
    { name: 'attachments.link', description: 'Make links by which customers open files.', from: 'agent' },
  ],
  personal: attachmentsPersonal,
  events: {
    domain: 'attachment',
    label: 'Attachments',
    events: {
      'attachment.created': 'A file was uploaded; which record takes it, that record tells.',
      'attachment.deleted': 'A file was deleted, by somebody or because no record took it within a day.',
    },
  },
  tags: [
    {
      name: 'Attachments',
      place: 75,
      description:
        'Files of tickets, comments, articles and quotes: uploads, downloads, smaller pictures, links for customers.',
    },
  ],
});
