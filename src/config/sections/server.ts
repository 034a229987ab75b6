/** [server]: The process as such. */
import { describeTable, describeWhole } from '../setting.ts'

export const server = describeTable({
  drain_seconds: describeWhole({
    description:
      'How long the server goes on after a stop signal, while /health/ready says 503 and a load balancer turns to others.',
    consequence:
      'Needed where several servers share a database: longer than the load balancer takes to notice. 0 stops at once.',
    unit: 'seconds',
    default: 0,
    example: 5,
    minimum: 0,
    maximum: 300,
  }),
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
