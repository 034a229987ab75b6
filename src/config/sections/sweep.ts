/** [sweep]: The clearing away of what has expired. */
import { describeSchedule } from '../cron-line.ts'
import { describeTable, describeWhole } from '../setting.ts'

export const sweep = describeTable({
  schedule: describeSchedule({
    description: 'When expired things are cleared away, as a cron line in UTC: minute hour day month weekday.',
    consequence: 'Expiry holds without it. Seldom means that the database grows in between.',
    default: '*/5 * * * *',
  }),
  batch: describeWhole({
    description:
      'How many rows of each kind one write of the sweep deletes at most. A sweep makes as many as it needs.',
    consequence: 'More at once makes writers wait longer. Fewer make a sweep take longer.',
    unit: 'rows',
    default: 1000,
    example: 1000,
    minimum: 1,
    maximum: 100_000,
  }),
})
