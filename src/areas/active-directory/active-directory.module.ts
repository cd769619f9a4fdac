import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { UsersModule } from '../users/users.module';
import { connectionResource } from './connections/connection.resource';
import { ConnectionsController } from './connections/connections.controller';
import { ConnectionsService } from './connections/connections.service';
import { directoryGroupResource } from './objects/directory-group.resource';
import { directoryUserResource } from './objects/directory-user.resource';
import { Links } from './objects/links.service';
import { ObjectsController } from './objects/objects.controller';
import { Import } from './push/import.service';
import { LdapReader } from './ldap/ldap-reader';
import { changeResource } from './runs/change.resource';
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
    UsersModule,
  ],
  controllers: [ConnectionsController, ObjectsController, RunsController],
  providers: [
    ConnectionsService,
    Links,
    RunsService,
    Import,
    LdapReader,
    DirectorySource,
    ConnectionTests,
    RunPlanner,
    GroupApplier,
    PersonApplier,
    RunApplier,
    RunJob,
    RunUpkeep,
  ],
})
export class ActiveDirectoryModule {}
