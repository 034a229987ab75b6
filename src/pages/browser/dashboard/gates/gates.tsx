import { Heading } from '../parts.tsx'

export const Gates = () => <Heading title="Gates" />
