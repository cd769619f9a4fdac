import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { ApiError } from '../../../platform/errors/api-error';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import type { ArrivedFile } from '../../attachments/intake/arrived-file';
import { UsersService } from '../../users/users.service';
import { DirectoryConnection } from '../connections/connection.entity';
import { DirectoryUser } from '../objects/directory-user.entity';
import { DirectoryUnreadable } from '../runs/reading';
import { MAX_PHOTO, type PhotoReader, PhotoTooLarge, PhotoUnreadable } from './photo-reader';
import { PhotoSources } from './photo-sources';
import { SentPhotos } from './sent-photos';
import { UserPhotos } from './user-photos';

/** Kind of the job that takes the photos of a directory; its subject is the connection. */
const PHOTOS_JOB = 'directory_photos';

/** So long an attempt goes on; then others have their turn. */
const TURN_MS = 5_000;
const BATCH = 20;

/** Somebody whose photo may be another one. */
interface Due {
  id: number;
  guid: string;
  distinguished_name: string | null;
  photo_digest: string | null;
}

/** A photo that was looked at. */
interface Looked {
  digest: string | null;
  file: ArrivedFile | null;
  problem: string | null;
  /** Nothing is known of it: what there is stays. */
  isUnknown?: boolean;
}

/** Takes photos of people who are users here, one by one, behind the run that says whose may be another one. */
@Injectable()
export class PhotosJob implements JobHandler, OnModuleInit {
  readonly kind = PHOTOS_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 1;
  readonly leaseMs = 300_000;
  private readonly logger = new Logger(PhotosJob.name);

  constructor(
    @InjectStore(DirectoryConnection) private readonly connections: Store<DirectoryConnection>,
    @InjectStore(DirectoryUser) private readonly people: Store<DirectoryUser>,
    private readonly sources: PhotoSources,
    private readonly photos: UserPhotos,
    private readonly sent: SentPhotos,
    private readonly users: UsersService,
    private readonly database: Database,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  /** A job where somebody's photo may be another one. Inside the unit of work that ends a run. */
  async enqueue(connection: Row<DirectoryConnection>): Promise<void> {
    if (!this.sources.areTaken(connection)) return;
    if ((await this.due(connection.id, 1)).length > 0)
      await this.queue.add([{ kind: PHOTOS_JOB, subject_id: connection.id, group_id: connection.id }]);
  }

  async perform({ subject_id: id }: Job): Promise<JobOutcome> {
    const connection = await this.database.transaction(() => this.connections.find(id));
    if (!connection || connection.status === 'disabled') return {};
    try {
      const reader = await this.sources.open(connection);
      return reader ? await this.turn(connection, reader, performance.now() + TURN_MS) : {};
    } catch (error) {
      if (!(error instanceof DirectoryUnreadable)) throw error;
      // Whose turn did not come keeps the mark: the next run brings another job.
      this.logger.warn(`Photos of directory ${id}: ${error.message}`);
      return {};
    }
  }

  private async turn(connection: Row<DirectoryConnection>, reader: PhotoReader, until: number): Promise<JobOutcome> {
    try {
      for (;;) {
        const due = await this.database.transaction(() => this.due(connection.id, BATCH));
        if (due.length === 0) return {};
        for (const each of due) {
          await this.take(connection, each, await this.look(each, reader));
          if (performance.now() > until) return { retryInMs: 0 };
        }
      }
    } finally {
      await reader.end();
    }
  }

  /** Outside a unit of work: fetching takes time. */
  private async look(person: Due, reader: PhotoReader): Promise<Looked> {
    const nothing: Looked = { digest: null, file: null, problem: null };
    try {
      const photo = await reader.of(person);
      if (photo === null) return nothing;
      if (photo === 'unsaid') return { ...nothing, isUnknown: true };
      if (photo.length > MAX_PHOTO) return { ...nothing, problem: 'too_large' };
      const digest = createHash('sha256').update(photo).digest('hex');
      if (digest === person.photo_digest) return { ...nothing, digest };
      const file = await this.photos.take(photo);
      return { digest, file, problem: file ? null : 'no_picture' };
    } catch (error) {
      if (error instanceof PhotoUnreadable) return { ...nothing, problem: error.problem, isUnknown: true };
      if (error instanceof PhotoTooLarge) return { ...nothing, problem: 'too_large' };
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      return { ...nothing, problem: error.extras.details?.[0]?.code ?? 'refused' };
    }
  }

  /** As the directory, whose word it is. */
  private async take(connection: Row<DirectoryConnection>, { id, guid }: Due, looked: Looked): Promise<void> {
    const { file } = looked;
    const actor = { type: 'directory', id: connection.id, name: connection.name } as const;
    const kept = { isIt: false };
    try {
      await this.database.inWorkspace(currentWorkspaceId(), actor, () =>
        // What users are changed under comes before any row.
        this.users.holding(async () => {
          const person = await this.people.lockIfAny(id);
          if (!person) return;
          await this.people.apply(person, { values: await this.outcome(person, looked), events: [] });
          await this.sent.done(connection.id, guid);
          this.database.afterCommit(() => void (kept.isIt = true));
        }),
      );
    } finally {
      if (file && !kept.isIt) await this.photos.discard(file);
    }
  }

  private async outcome(
    { user_id, photo_id, photo_digest, id }: Row<DirectoryUser>,
    { digest, file, problem, isUnknown = false }: Looked,
  ): Promise<Values<DirectoryUser>> {
    // What cannot be taken is as if it were not there; what is the same is no news.
    if (user_id === null) return { photo_due: false };
    if (isUnknown) return { photo_due: false, ...(problem === null ? {} : { photo_problem: problem }) };
    if (digest !== null && digest === photo_digest) return { photo_due: false };
    if (photo_id === null && file === null) return { photo_due: false, photo_digest: digest, photo_problem: problem };
    const next = await this.photos.show({ id, user_id, photo_id }, file);
    return { photo_due: false, photo_digest: digest, photo_problem: problem, photo_id: next };
  }

  private due(connectionId: number, limit: number): Promise<Due[]> {
    return this.database.query<Due & Record<string, unknown>>(
      `SELECT id, object_guid AS guid, distinguished_name, photo_digest FROM directory_users
       WHERE workspace_id = $1 AND connection_id = $2 AND photo_due AND user_id IS NOT NULL AND link_status = 'linked' ORDER BY id LIMIT $3`,
      [currentWorkspaceId(), connectionId, limit],
    );
  }
}
