import { Heading } from '../parts.tsx'

export const Limits = () => <Heading title="Rate limits" />
