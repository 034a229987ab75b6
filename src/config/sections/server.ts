/** [server]: The process as such. */
import { table, whole } from '../setting.ts'

export const server = table({
  shutdown_seconds: whole({
    description: 'How long open requests may take to finish after a stop signal.',
    consequence: 'Shorter cuts them off. Longer than your supervisor waits has no effect.',
    unit: 'seconds',
    default: 10,
    example: 10,
    minimum: 0,
    maximum: 300,
  }),
})
