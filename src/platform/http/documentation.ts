import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createOpenApiDocument, PREFIX, type SentDocuments } from './openapi';

/** Serves the OpenAPI document at `/v1/openapi.json` and Swagger UI at `/docs`, both without a token. */
export function serveDocumentation(app: NestFastifyApplication, version: string, sent: () => SentDocuments): void {
  let document: OpenAPIObject | undefined;
  let text: string | undefined;
  // Built when first asked for: a server that nobody asks starts faster.
  const built = (): OpenAPIObject => (document ??= createOpenApiDocument(app, version, sent()));
  app
    .getHttpAdapter()
    .getInstance()
    .get(`${PREFIX}/openapi.json`, (_request, reply) => {
      text ??= JSON.stringify(built());
      void reply.header('content-type', 'application/json; charset=utf-8').send(text);
    });
  SwaggerModule.setup('docs', app, built, {
    raw: false,
    customSiteTitle: 'Helpdesk API',
    customCss: '.swagger-ui .topbar { display: none }',
    swaggerOptions: {
      persistAuthorization: true,
      displayRequestDuration: true,
      docExpansion: 'list',
      tagsSorter: 'alpha',
    },
  });
}
