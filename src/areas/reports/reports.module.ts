import { Module } from '@nestjs/common';
import { AccessModule } from '../../platform/auth/access.module';
import { StoreModule } from '../../platform/resource/store.module';
import { ReportsController } from './reports.controller';
import { ReportsService } from './reports.service';
import { ReportMailHandler } from './schedules/report-mail.handler';
import { reportScheduleResource } from './schedules/report-schedule.resource';
import { ReportSchedulesController } from './schedules/report-schedules.controller';
import { ReportSchedulesService } from './schedules/report-schedules.service';
import { ReportZones } from './schedules/report-zones';
import { ReportSweep } from './schedules/report-sweep';

@Module({
  imports: [StoreModule.forFeature(reportScheduleResource), AccessModule],
  controllers: [ReportsController, ReportSchedulesController],
  providers: [ReportsService, ReportSchedulesService, ReportSweep, ReportMailHandler, ReportZones],
})
export class ReportsModule {}
