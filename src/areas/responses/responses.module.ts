import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { cannedResponseResource } from './canned-response.resource';
import { CannedResponsesController } from './canned-responses.controller';
import { CannedResponsesService } from './canned-responses.service';

@Module({
  imports: [StoreModule.forFeature(cannedResponseResource)],
  controllers: [CannedResponsesController],
  providers: [CannedResponsesService],
})
export class ResponsesModule {}
