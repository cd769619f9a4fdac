import { Module } from '@nestjs/common';
import { AccessModule } from '../../platform/auth/access.module';
import { StoreModule } from '../../platform/resource/store.module';
import { AttachmentsModule } from '../attachments/attachments.module';
import { ContactsModule } from '../contacts/contacts.module';
import { UsersModule } from '../users/users.module';
import { connectionResource } from './connections/connection.resource';
import { ConnectionsController } from './connections/connections.controller';
import { ConnectionsService } from './connections/connections.service';
import { directoryGroupResource } from './objects/directory-group.resource';
import { directoryUserResource } from './objects/directory-user.resource';
import { Links } from './objects/links.service';
import { ObjectsController } from './objects/objects.controller';
import { Import } from './push/import.service';
import { GraphReader } from './graph/graph-reader';
import { LdapReader } from './ldap/ldap-reader';
import { PhotoSources } from './photos/photo-sources';
import { PhotosJob } from './photos/photos-job';
import { UserPhotos } from './photos/user-photos';
import { changeResource } from './runs/change.resource';
import { ContactApplier } from './runs/contact-applier';
import { ConnectionTests } from './runs/connection-tests';
import { GroupApplier } from './runs/group-applier';
import { PersonApplier } from './runs/person-applier';
import { RunApplier } from './runs/run-applier';
import { RunJob } from './runs/run-job';
import { RunPlanner } from './runs/run-planner';
import { runResource } from './runs/run.resource';
import { RunUpkeep } from './runs/run-upkeep';
import { RunsController } from './runs/runs.controller';
import { RunsService } from './runs/runs.service';
import { ScimPhotos } from './scim/scim-photos';
import { SentPhotos } from './photos/sent-photos';
import { ScimController } from './scim/scim.controller';
import { ScimLists } from './scim/scim-lists';
import { ScimMembers } from './scim/scim-members';
import { ScimService } from './scim/scim.service';
import { ScimSource } from './scim/scim-source';
import { ScimStore } from './scim/scim-store';
import { ScimTokens } from './scim/scim-tokens.service';
import { DirectorySource } from './runs/source';

@Module({
  imports: [
    StoreModule.forFeature(
      connectionResource,
      directoryUserResource,
      directoryGroupResource,
      runResource,
      changeResource,
    ),
    AttachmentsModule,
    ContactsModule,
    UsersModule,
    AccessModule,
  ],
  controllers: [ConnectionsController, ObjectsController, RunsController, ScimController],
  providers: [
    ConnectionsService,
    Links,
    RunsService,
    Import,
    LdapReader,
    GraphReader,
    ScimStore,
    ScimMembers,
    ScimLists,
    ScimSource,
    ScimService,
    ScimTokens,
    DirectorySource,
    ConnectionTests,
    RunPlanner,
    GroupApplier,
    ContactApplier,
    PersonApplier,
    RunApplier,
    ScimPhotos,
    SentPhotos,
    PhotoSources,
    UserPhotos,
    PhotosJob,
    RunJob,
    RunUpkeep,
  ],
})
export class ActiveDirectoryModule {}
