import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { CalendarSource } from './calendar-source';
import { HolidayImport } from './holiday-import.service';
import { scheduleResource } from './schedule.resource';
import { SchedulesController } from './schedules.controller';
import { SchedulesService } from './schedules.service';

@Module({
  imports: [StoreModule.forFeature(scheduleResource)],
  controllers: [SchedulesController],
  providers: [SchedulesService, HolidayImport, CalendarSource],
  exports: [SchedulesService],
})
export class SchedulesModule {}
