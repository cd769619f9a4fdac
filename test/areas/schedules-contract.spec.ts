import { CreateSchedule, UpdateSchedule } from '../../src/areas/schedules/schedule.dto';
import { scheduleResource } from '../../src/areas/schedules/schedule.resource';
import { describeResource } from '../support/describe-resource';

const weekly = { mon: [['09:00', '13:00'], ['14:00', '18:00']], fri: [['09:00', '24:00']] }; // prettier-ignore

describeResource({
  resource: scheduleResource,
  path: () => '/schedules',
  bodies: { create: CreateSchedule, update: UpdateSchedule },
  create: (serial) => ({
    name: `Office ${serial % 5} ${serial}`,
    description: serial % 2 ? `Number ${serial}` : null,
    timezone: ['Europe/Berlin', 'Asia/Kolkata', 'UTC'][serial % 3],
    weekly: serial % 2 ? weekly : { sun: [['00:00', '24:00']] },
    holidays: serial % 2 ? [{ date: '2026-12-25', name: 'Christmas', recurring: true }] : [],
  }),
  update: (serial) => ({
    name: `Renamed ${serial}`,
    description: 'Other',
    timezone: 'America/New_York',
    weekly: { tue: [['08:00', '12:00']] },
    holidays: [{ date: '2026-01-01' }, { date: '2026-05-01', name: 'May Day' }],
  }),
  required: ['name'],
  invalid: {
    name: ['', ' ', 7, 'x'.repeat(121)],
    description: [7, 'x'.repeat(2_001)],
    timezone: ['Mars/Olympus', '', 7, '+02:00'],
    weekly: [
      7,
      {},
      [],
      { mon: [] },
      { mon: [['18:00', '09:00']] },
      { mon: [['09:00', '13:00'], ['12:00', '18:00']] }, // prettier-ignore
      { mon: [['09:00', '24:30']] },
      { someday: [['09:00', '17:00']] },
    ],
    holidays: [
      7,
      {},
      [{}],
      [{ date: '2026-02-30' }],
      [{ date: '2026-01-01', colour: 'red' }],
      [{ date: '2026-01-01', recurring: 'yes' }],
      Array.from({ length: 501 }, () => ({ date: '2026-01-01' })),
    ],
    is_default: ['yes', 1],
  },
});
