/** [server]: The process as such. */
import { describeTable, describeWhole } from '../setting.ts'

export const server = describeTable({
  shutdown_seconds: describeWhole({
    description: 'How long open requests may take to finish after a stop signal.',
    consequence: 'Shorter cuts them off. Longer than your supervisor waits has no effect.',
    unit: 'seconds',
    default: 10,
    example: 10,
    minimum: 0,
    maximum: 300,
  }),
})
