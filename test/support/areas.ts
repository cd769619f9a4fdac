import { areas } from '../../src/app.module';
import { Areas } from '../../src/platform/area/areas';

/** The areas of this repository, known by name: for tests of rules that need names and no application. */
export const installed = new Areas(areas).install();
