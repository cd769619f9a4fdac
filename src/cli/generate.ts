import { type Command, InvalidArgumentError } from 'commander';
import type { Place } from './generate/place';
import type { Workshop } from './generate/workshop';
import { print } from './output';

interface Options {
  area?: string;
  into?: string;
  plural?: string;
}

/** `helpdesk generate`: skeletons whose tests are green, in `src/areas` or in the folder of a plug-in. */
export function registerGenerate(program: Command): void {
  const group = program.command('generate').description('write the skeleton of an extension, with its tests');
  const add = (name: string, description: string): Command =>
    group
      .command(name)
      .description(description)
      .argument('<name>', 'singular, in kebab-case, e.g. service-contract', kebabName)
      .option('--into <folder>', 'folder of a plug-in; src/areas unless given');
  add('area', 'an area, still empty').action(async (name: string, options: Options, command: Command) => {
    const { makeArea } = await import('./generate/parts.js');
    await generate(command, { ...options, area: name }, makeArea);
  });
  add('resource', 'a resource with its table, routes and contract test; its area, too, where there is none')
    .option('--area <area>', 'the area; called like the resource unless given', kebabName)
    .option('--plural <plural>', 'plural of the name, where it is not the usual one', kebabName)
    .action(async (name: string, options: Options, command: Command) => {
      const [{ makeResource }, { plural }] = await Promise.all([
        import('./generate/parts.js'),
        import('./generate/names.js'),
      ]);
      const area = options.area ?? (options.into === undefined ? (options.plural ?? plural(name)) : undefined);
      await generate(command, { ...options, area }, (workshop, place) => {
        makeResource(workshop, place, name, options.plural);
      });
    });
  add('action', 'an action that automations can have, with who performs it')
    .option('--area <area>', 'the area', kebabName)
    .action(async (name: string, options: Options, command: Command) => {
      const { makeAction } = await import('./generate/parts.js');
      await generate(command, options, (workshop, place) => {
        makeAction(workshop, place, name);
      });
    });
  add('provider', 'a provider that integrations can be installed of, which is sent events')
    .option('--area <area>', 'the area', kebabName)
    .action(async (name: string, options: Options, command: Command) => {
      const { makeProvider } = await import('./generate/parts.js');
      await generate(command, options, (workshop, place) => {
        makeProvider(workshop, place, name);
      });
    });
}

async function generate(
  command: Command,
  { area, into }: Options,
  make: (workshop: Workshop, place: Place) => void,
): Promise<void> {
  const [{ placeOf }, workshopModule] = await Promise.all([
    import('./generate/place.js'),
    import('./generate/workshop.js'),
  ]);
  const place = placeOf(area, into);
  const workshop = new workshopModule.Workshop();
  make(workshop, place);
  const files = await workshop.finish();
  const next = place.isPlugin
    ? `HELPDESK_PLUGINS=${into ?? ''} npm test -- ${into ?? ''}`
    : `npm run openapi && npm test -- test/areas/ test/platform/shipped-migrations.spec.ts`;
  print(command, { files, next }, [...files.map((file) => `Written: ${file}`), `Next: ${next}`]);
}

function kebabName(value: string): string {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(value))
    throw new InvalidArgumentError('It must be in kebab-case, e.g. service-contract.');
  return value;
}
