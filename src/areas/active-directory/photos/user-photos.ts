import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Readable } from 'node:stream';
import { AttachmentsService } from '../../attachments/attachments.service';
import { IMAGES } from '../../attachments/content/served-type';
import type { AttachmentHolder, Hanging } from '../../attachments/holders/attachment-holder';
import { AttachmentHolders } from '../../attachments/holders/attachment-holders';
import type { ArrivedFile } from '../../attachments/intake/arrived-file';
import { ImportedFiles } from '../../attachments/intake/imported-files';
import { UsersService } from '../../users/users.service';

/** Somebody whose user is to have another picture. */
export interface Pictured {
  id: number;
  user_id: number;
  /** The picture that the directory gave before. */
  photo_id: number | null;
}

/** Photos of people as the pictures of their users: files like all others, which whoever has the address may see. */
@Injectable()
export class UserPhotos implements AttachmentHolder, OnModuleInit {
  readonly column = 'user_id';
  readonly permission = 'users.update';

  constructor(
    private readonly users: UsersService,
    private readonly files: ImportedFiles,
    private readonly attachments: AttachmentsService,
    private readonly holders: AttachmentHolders,
  ) {}

  onModuleInit(): void {
    this.holders.register(this);
  }

  isPublic(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async place(id: number): Promise<Partial<Hanging> | null> {
    return (await this.users.standingOf(id)) && { user_id: id };
  }

  /** Nobody is shown by a picture that is gone. */
  async letGo(id: number, attachmentId: number): Promise<void> {
    const user = await this.users.standingOf(id);
    if (user?.avatar_url === this.attachments.lastingLink(attachmentId))
      await this.users.changeFrom({}, id, { avatar_url: null });
  }

  /** A photo in the store; null where it is no picture. @throws ApiError for one that is infected, or for which there is no room */
  async take(photo: Buffer): Promise<ArrivedFile | null> {
    await this.files.requireRoom(photo.length);
    const file = await this.files.take(Readable.from([photo]), { filename: 'photo', type: null });
    if (IMAGES.includes(file.content_type)) return file;
    await this.files.discard(file);
    return null;
  }

  /** What no row tells of goes. */
  discard(file: ArrivedFile): Promise<void> {
    return this.files.discard(file);
  }

  /**
   * The user has the photo from now on; none where the directory has none any more, unless they have another picture by now. Inside the
   * unit of work that holds what users are changed under. @returns the id of the file
   */
  async show({ id, user_id, photo_id }: Pictured, file: ArrivedFile | null): Promise<number | null> {
    const user = await this.users.standingOf(user_id);
    if (!user) return null;
    const told = {
      ...({ column: 'user_id', holder: user_id, is_inline: true, created_at: null } as const),
      external_id: `directory:${id}:${file?.sha256.slice(0, 24) ?? ''}`,
    };
    const next = file && (await this.files.attach(file, told, 'none'));
    const former = photo_id === null ? null : this.attachments.lastingLink(photo_id);
    const avatar_url = next === null ? null : this.attachments.lastingLink(next);
    if (avatar_url !== null || user.avatar_url === former) await this.users.changeFrom({}, user_id, { avatar_url });
    if (photo_id !== null) await this.attachments.remove(photo_id, null);
    return next;
  }
}
