/** `GET /openapi.json` and `GET /docs`: the API's description, and Swagger UI for it from bundled files, offline. */
import { Router, type RequestHandler } from 'express';
import serveStatic from 'serve-static';
import swaggerUi from 'swagger-ui-express';
import { docsPolicy, setPolicy } from '../http/headers.ts';
import { sendError } from '../http/errors.ts';
import { classifyPath, pathTooLong } from '../http/files/paths.ts';
import { createOpenApiDocument, type ApiInfo } from '../http/openapi.ts';
import { exactRoutes } from './api.ts';

/** @param assets directory with Swagger UI's files */
export function docsRoutes(info: () => ApiInfo, assets: string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(
    exactRoutes([['/openapi.json', (_request, response) => void response.json(createOpenApiDocument(info()))]]),
  );

  const html = swaggerUi
    .generateHTML(undefined, { customSiteTitle: 'Lab Manager API' })
    // The page is served at /docs without a slash, its files below it.
    .replaceAll(/(href|src)="\.\//g, '$1="./docs/');
  const [init] = swaggerUi.serveFiles(undefined, {
    swaggerUrl: './openapi.json',
    // The badge would send data of this lab to a public validator on the internet.
    swaggerOptions: { validatorUrl: null },
  }) as [RequestHandler];
  router.use('/docs', (request, response, next) => {
    // Normalizing a path takes time in proportion to its segments.
    if (classifyPath(request.path).kind === 'long') return sendError(response, 414, pathTooLong);
    setPolicy(response, docsPolicy);
    response.setHeader('Cache-Control', 'no-cache');
    return next();
  });
  router.get('/docs/', (_request, response) => response.redirect(302, '../docs'));
  router.use(exactRoutes([['/docs', (_request, response) => void response.type('html').send(html)]]));
  router.get('/docs/swagger-ui-init.js', init);
  router.use('/docs', serveStatic(assets, { index: false, redirect: false }));
  return router;
}
