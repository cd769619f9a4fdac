import { join } from 'node:path';
import { projectRoot } from '../../config';
import { addEvents, addImport, addStore, addToList } from './edits';
import { article, camel, capital, kebab, pascal, plural, snake, words } from './names';
import { nextTimestamp, type Place } from './place';
import type { Workshop } from './workshop';

/** An area without anything in it, listed in `app.module.ts`; the `plugin.ts` of a plug-in. */
export function makeArea(workshop: Workshop, place: Place): void {
  const { area, folder, areaFile, constant, isPlugin } = place;
  const view = { ...place, domain: snake(area), Area: pascal(area), Label: capital(words(area)) };
  workshop.make(areaFile, 'area', view);
  workshop.make(join(folder, `${area}.module.ts`), 'module', view);
  if (isPlugin) return;
  workshop.edit(join(projectRoot, 'src', 'app.module.ts'), (text) =>
    addImport(text, `import { ${constant} } from './areas/${area}/${area}.area';`).replace(
      /(areas: readonly Area\[\] = \[[^\]]*)\];/,
      `$1  ${constant},\n];`,
    ),
  );
}

/** A resource with its table, its routes and its contract test; its area is made where there is none. */
export function makeResource(workshop: Workshop, place: Place, name: string, several = plural(name)): void {
  if (!workshop.has(place.areaFile)) makeArea(workshop, place);
  const { area, folder, areaFile } = place;
  const [file, variable, table] = [kebab(name), camel(name), snake(several)];
  const migrationFile = `${nextTimestamp(place)}-create-${kebab(several)}`;
  const migration = `${pascal(`create-${kebab(several)}`)}${migrationFile.slice(0, 13)}`;
  const view = {
    ...place,
    ...{ file, variable, table, migration },
    Article: article(words(name)),
    words: words(name),
    singular: snake(name),
    Entity: pascal(name),
    Plural: pascal(several),
    variables: camel(several),
    Title: capital(words(several)),
    path: kebab(several),
  };
  for (const template of ['entity', 'resource', 'dto'])
    workshop.make(join(folder, `${file}.${template}.ts`), template, view);
  workshop.make(join(folder, `${kebab(several)}.controller.ts`), 'controller', view);
  workshop.make(join(place.migrations, `${migrationFile}.ts`), 'migration', view);
  workshop.make(join(place.tests, `${kebab(several)}-contract.spec.ts`), 'contract', view);
  const migrations = place.isPlugin ? './migrations' : '../../../migrations';
  workshop.edit(areaFile, (text) => {
    const imported = [
      `import { ${migration} } from '${migrations}/${migrationFile}';`,
      `import { RESOURCE_TEXTS } from '${place.platform}/area/personal';`,
      `import { usualPermissions } from '${place.platform}/context/permission-table';`,
      `import { changesOf } from '${place.platform}/events/event-domain';`,
      `import { ${variable}Resource } from './${file}.resource';`,
    ].reduce(addImport, text);
    const listed = addToList(addToList(imported, 'resources', `${variable}Resource`), 'migrations', migration);
    const tag = `{ name: '${view.Title}', description: '${view.Title}.' }`;
    const demo = `{ resource: ${variable}Resource, values: { name: 'First ${view.words}' } }`;
    const told = addEvents(listed, `changesOf('${view.singular}', '${view.Article} ${view.words}')`);
    const from = `{ read: 'light_agent', create: 'agent', update: 'agent', delete: 'supervisor' }`;
    const usual = `...usualPermissions('${view.path}', '${words(several)}', ${from})`;
    const personal = `{ table: '${table}', texts: [...RESOURCE_TEXTS, 'name', 'notes'] }`;
    const shown = addToList(addToList(told, 'tags', tag), 'demo', demo);
    return addToList(addToList(shown, 'personal', personal), 'permissions', usual);
  });
  workshop.edit(join(folder, `${area}.module.ts`), (text) => {
    const imported = [
      `import { StoreModule } from '${place.platform}/resource/store.module';`,
      `import { ${variable}Resource } from './${file}.resource';`,
      `import { ${view.Plural}Controller } from './${kebab(several)}.controller';`,
    ].reduce(addImport, text);
    return addStore(addToList(imported, 'controllers', `${view.Plural}Controller`), `${variable}Resource`);
  });
}

/** An action that rules can have, and who performs it. */
export function makeAction(workshop: Workshop, place: Place, name: string): void {
  if (!workshop.has(place.areaFile)) makeArea(workshop, place);
  const { area, folder, areaFile } = place;
  const view = { ...place, type: snake(name), variable: camel(name), Class: pascal(name), Label: capital(words(name)) };
  workshop.make(join(folder, `${name}.action.ts`), 'action', view);
  workshop.make(join(place.tests, `${name}-action.spec.ts`), 'action-spec', view);
  workshop.edit(areaFile, (text) => {
    const imported = addImport(text, `import { ${view.Class}, ${view.variable} } from './${name}.action';`);
    return addToList(addToList(imported, 'actions', view.variable), 'performers', view.Class);
  });
  workshop.edit(join(folder, `${area}.module.ts`), (text) =>
    addToList(addImport(text, `import { ${view.Class} } from './${name}.action';`), 'providers', view.Class),
  );
}

/** Something that can be integrated, which is sent events. */
export function makeProvider(workshop: Workshop, place: Place, name: string): void {
  if (!workshop.has(place.areaFile)) makeArea(workshop, place);
  const { folder, areaFile, tests } = place;
  const variable = `${camel(name)}Provider`;
  const said = { words: words(name), Label: capital(words(name)) };
  const view = { ...place, name, variable, key: snake(name), Class: pascal(name), ...said };
  workshop.make(join(folder, `${name}.provider.ts`), 'provider', view);
  workshop.make(join(tests, `${name}-provider.spec.ts`), 'provider-spec', view);
  workshop.edit(areaFile, (text) =>
    addToList(addImport(text, `import { ${variable} } from './${name}.provider';`), 'providers', variable),
  );
}
