"""Plain HTTP: the routes, errors, the OpenAPI document, and the files of the browser client."""
