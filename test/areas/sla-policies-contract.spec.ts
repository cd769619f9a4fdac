import { CreateSlaPolicy, UpdateSlaPolicy } from '../../src/areas/sla/sla-policy.dto';
import { slaPolicyResource } from '../../src/areas/sla/sla-policy.resource';
import { describeResource } from '../support/describe-resource';

const target = (first: number, resolution: number): object => ({
  first_response_minutes: first,
  resolution_minutes: resolution,
});
const targets = (first: number): object => ({
  urgent: target(first, first * 2),
  high: target(first, first * 3),
  medium: { ...target(first, first * 4), next_response_minutes: 7 },
  low: target(first, first),
});
const weekly = { mon: [['09:00', '13:00'], ['14:00', '18:00']], fri: [['09:00', '24:00']] }; // prettier-ignore
const hours = { mode: 'business_hours', timezone: 'Europe/Berlin', weekly, holidays: [{ date: '2026-12-25' }] };

describeResource({
  resource: slaPolicyResource,
  path: () => '/sla',
  bodies: { create: CreateSlaPolicy, update: UpdateSlaPolicy },
  prepare: async (api) => ({
    hours: (await api.post('/schedules', { name: 'Office' })).expect(201).data.id,
    night: (await api.post('/schedules', { name: 'Night', weekly: { sun: [['00:00', '06:00']] } })).expect(201).data.id,
  }),
  create: (serial, made) => ({
    name: `Policy ${serial % 5} ${serial}`,
    description: serial % 2 ? `About ${serial}` : null,
    is_active: serial % 4 !== 0,
    conditions: serial % 2 ? { all: [{ field: 'priority', operator: 'in', value: ['high', 'urgent'] }] } : {},
    targets: targets(serial),
    ...(serial % 3 ? { schedule: serial % 2 ? hours : { mode: '24x7' } } : { schedule_id: made.hours }),
    pause_statuses: serial % 2 ? ['on_hold', 'open'] : [],
    pause_metrics: serial % 3 ? ['resolution'] : ['first_response', 'next_response', 'resolution'],
    at_risk_threshold_pct: 50 + (serial % 50),
    starts_on: serial % 2 ? '2026-01-01' : null,
    ends_on: serial % 2 ? '2126-12-31' : null,
    ai_counts_as_response: serial % 2 === 0,
    ...(serial % 2 ? { position: 1 + (serial % 10) } : {}),
  }),
  update: (serial, made) => ({
    name: `Renamed ${serial}`,
    description: 'Other',
    is_active: false,
    conditions: { any: [{ field: 'company.name', operator: 'contains', value: 'acme' }] },
    targets: targets(serial + 1),
    ...(serial % 3
      ? { schedule: { ...hours, timezone: 'Asia/Kolkata' }, schedule_id: null }
      : { schedule_id: made.night }),
    pause_statuses: ['in_progress'],
    pause_metrics: ['next_response'],
    at_risk_threshold_pct: 99,
    starts_on: '2020-02-29',
    ends_on: '2020-02-29',
    ai_counts_as_response: true,
    position: serial,
  }),
  required: ['name', 'targets'],
  invalid: {
    name: ['', ' ', 7, 'x'.repeat(256)],
    description: [7, 'x'.repeat(2_001)],
    is_active: ['true', 1],
    position: [0, -1, 1.5, '1', 1_000_001],
    targets: [
      7,
      [],
      {},
      { urgent: target(1, 2), high: target(1, 2), medium: target(1, 2) },
      { ...targets(5), top: target(1, 2) },
      { ...targets(5), low: target(0, 2) },
      { ...targets(5), low: target(1.5, 2) },
      { ...targets(5), low: target(10, 9) },
      { ...targets(5), low: { first_response_minutes: 1 } },
      { ...targets(5), low: { ...target(1, 2), next_response_minutes: 0 } },
      { ...targets(5), low: { ...target(1, 2), extra: 1 } },
      { ...targets(5), low: { first_response_minutes: null, resolution_minutes: 1 } },
    ],
    schedule: [
      7,
      {},
      { mode: 'weekends' },
      { ...hours, timezone: 'Mars/Olympus' },
      { ...hours, weekly: {} },
      { ...hours, weekly: { mon: [['18:00', '09:00']] } },
      { ...hours, weekly: { mon: [['09:00', '13:00'], ['12:00', '18:00']] } }, // prettier-ignore
      { ...hours, weekly: { mon: [['09:00', '24:30']] } },
      { ...hours, holidays: [{ date: '2026-02-30' }] },
    ],
    schedule_id: ['x', 0, 1.5, 8_999_999_999_999],
    pause_statuses: [['resolved'], ['on_hold', 'on_hold'], 'on_hold', 7],
    pause_metrics: [['speed'], ['resolution', 'resolution'], 7],
    at_risk_threshold_pct: [49, 100, 75.5, '80'],
    starts_on: ['2026-02-30', 'today', 7],
    ends_on: ['2026-13-01', 7],
    ai_counts_as_response: ['yes', 1],
  },
});
