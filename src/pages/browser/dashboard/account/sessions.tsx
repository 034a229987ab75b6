import { Heading } from '../parts.tsx'

export const Sessions = () => <Heading title="Sessions" />
