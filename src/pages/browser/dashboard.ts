/** Runs on the pages of the dashboard: one application for all of them. */
import { mount } from './dashboard/application.tsx'

mount(document.getElementById('dashboard')!)
